import { join } from 'node:path';
import type { Check, CheckReport, CheckRequest, EvaluationRequest, TreeAudit } from '../ports.ts';
import type { Evaluation, Tampering } from '../schema/generated.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { findPassingCanaries } from './canary.ts';
import { findUncovered } from '../checks/score/coverage.ts';
import { failedHoldout, passesHoldout } from './holdout.ts';
import { refuse } from './refusal.ts';
import type { TestIds } from '../checks/results/test-ids.ts';
import { createTreePaths } from '../checks/run/tree-paths.ts';

/** What is needed to ask whether an evaluation can be believed. */
export interface Doubt {
  readonly checks: readonly Check[];
  readonly ids: TestIds;
  readonly asked: EvaluationRequest;
  /** As the checks were asked, uncached. */
  readonly request: CheckRequest;
  /** Of the evaluation. */
  readonly reports: readonly CheckReport[];
  /** Command line of checks that the actor never sees. */
  readonly holdout?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/**
 * The evaluation, or its refusal. What speaks against a tree before its checks have run refuses it whatever they
 * say; what they report is doubted only where it would be accepted: then what they did to the tree, what they
 * looked at, and at last whether they could have failed and whether the held-out checks agree.
 * Of a baseline it is only noted what its checks do to the tree by themselves.
 */
export async function believe(evaluation: Evaluation, doubt: Doubt): Promise<Evaluation> {
  const { asked } = doubt;
  const { root, baseline } = asked;
  if (baseline === undefined) return noteHabits(evaluation, await asked.audit?.());
  const standing = asked.refused ?? [];
  const found = evaluation.passed ? [...standing, ...(await findObjections(baseline, doubt))] : standing;
  if (found.length > 0) return refuse(evaluation, found, createTreePaths(root, root));
  const isCandidate = evaluation.passed && asked.confirm && asked.refused !== undefined;
  if (!isCandidate || doubt.holdout === undefined) return evaluation;
  const { timeoutMs, signal } = doubt.request;
  const passes = await passesHoldout(doubt.holdout, { root, timeoutMs, signal, sandbox: doubt.sandbox });
  return passes ? evaluation : failedHoldout(evaluation, root);
}

async function findObjections(baseline: Evaluation, doubt: Doubt): Promise<Tampering[]> {
  const { asked, reports, checks } = doubt;
  const audit = await asked.audit?.();
  const habits = new Set((baseline.tampering ?? []).map(({ file }) => file));
  const done = (audit?.tampering ?? []).filter(({ file }) => !habits.has(file));
  const isTrusted = (report: CheckReport): boolean => audit?.isReconfigured(report.name) === true;
  const uncovered = reports
    .filter((report) => !isTrusted(report))
    .flatMap((report) => findUncovered(report, { root: asked.root, baseline, added: audit?.added ?? [] }));
  const found = [...done, ...uncovered];
  if (found.length > 0 || !asked.confirm || asked.refused === undefined) return found;
  const passing: Tampering[] = [];
  // One after the other: the copies of one check's tests are not for another to find.
  for (const check of checks) passing.push(...(await canariesOf(check, baseline, doubt)));
  return passing;
}

async function canariesOf(check: Check, baseline: Evaluation, doubt: Doubt): Promise<Tampering[]> {
  const { ids, reports, request } = doubt;
  const report = reports.find(({ name }) => name === check.plan.name);
  if (report === undefined || report.status === 'skip') return [];
  return findPassingCanaries(check, {
    request: { ...request, cacheDir: join(request.cacheDir, check.plan.name) },
    before: ids.bare(report.name, baseline.tests),
    now: ids.bare(report.name, report.tests),
  });
}

function noteHabits(evaluation: Evaluation, audit: TreeAudit | undefined): Evaluation {
  return audit === undefined || audit.tampering.length === 0
    ? evaluation
    : { ...evaluation, tampering: [...audit.tampering] };
}
