import { join } from 'node:path';
import type { TestIds } from '../checks/results/test-ids.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Check, CheckReport, CheckRequest, EvaluationRequest, TreeAudit } from '../ports.ts';
import type { Evaluation, Tampering } from '../schema/generated.ts';
import { failedHoldout, passesHoldout } from './holdout.ts';
import { rejectTampered } from './rejected-evaluation.ts';
import { findUncheckedFiles } from './unchecked-files.ts';

/** Inputs for the verification of an evaluation. */
export interface Verification {
  readonly checks: readonly Check[];
  readonly ids: TestIds;
  /** The request that the evaluation answers. */
  readonly evaluation: EvaluationRequest;
  /** An uncached request for the same tree. */
  readonly request: CheckRequest;
  /** The reports that the evaluation was made from. */
  readonly reports: readonly CheckReport[];
  /** Command line of the held-out checks, which the actor never sees. */
  readonly holdout?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/**
 * The evaluation, or its rejection. Tampering that was found before the checks ran always rejects the tree. An
 * evaluation that passes is verified further: changes that the checks made to the tree, files that they no longer
 * check, canaries, and at last the held-out checks. A baseline is never rejected: it only records which files its
 * checks change.
 */
export async function verifyEvaluation(
  evaluation: Evaluation,
  verification: Verification,
): Promise<Evaluation> {
  const { evaluation: asked, holdout, request, sandbox } = verification;
  const { root, baseline } = asked;
  if (baseline === undefined) return withChangesByChecks(evaluation, await asked.audit?.());
  const known = asked.refused ?? [];
  const found = evaluation.passed ? [...known, ...(await findTampering(baseline, verification))] : known;
  if (found.length > 0) return rejectTampered(evaluation, found, createTreePaths(root, root));
  if (!evaluation.passed || !isCandidate(asked) || holdout === undefined) return evaluation;
  const { timeoutMs, signal } = request;
  const passes = await passesHoldout(holdout, { root, timeoutMs, signal, sandbox });
  return passes ? evaluation : failedHoldout(evaluation, root);
}

/** Whether an actor's tree is about to be accepted. */
function isCandidate({ confirm, refused }: EvaluationRequest): boolean {
  return confirm && refused !== undefined;
}

async function findTampering(baseline: Evaluation, verification: Verification): Promise<Tampering[]> {
  const { evaluation: asked, reports, checks } = verification;
  const audit = await asked.audit?.();
  const changedByBaseline = new Set((baseline.tampering ?? []).map(({ file }) => file));
  const changed = (audit?.tampering ?? []).filter(({ file }) => !changedByBaseline.has(file));
  const added = audit?.added ?? [];
  const unchecked = reports
    .filter((report) => audit?.isReconfigured(report.name) !== true)
    .flatMap((report) => findUncheckedFiles(report, { root: asked.root, baseline, added }));
  const found = [...changed, ...unchecked];
  if (found.length > 0 || !isCandidate(asked)) return found;
  const passing: Tampering[] = [];
  // In sequence: one check must not find the copies of another check's test files.
  for (const check of checks) passing.push(...(await findCanaries(check, baseline, verification)));
  return passing;
}

async function findCanaries(
  check: Check,
  baseline: Evaluation,
  { ids, reports, request }: Verification,
): Promise<Tampering[]> {
  const report = reports.find(({ name }) => name === check.plan.name);
  if (report === undefined || report.status === 'skip') return [];
  // The canaries need a parser, which loads only here.
  const { findPassingCanaries } = await import('./canary.ts');
  return findPassingCanaries(check, {
    request: { ...request, cacheDir: join(request.cacheDir, check.plan.name) },
    before: ids.bare(report.name, baseline.tests),
    now: ids.bare(report.name, report.tests),
  });
}

function withChangesByChecks(evaluation: Evaluation, audit: TreeAudit | undefined): Evaluation {
  return audit === undefined || audit.tampering.length === 0
    ? evaluation
    : { ...evaluation, tampering: [...audit.tampering] };
}
