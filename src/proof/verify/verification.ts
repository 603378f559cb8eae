import { join } from 'node:path';
import type { TestIds } from '../../checks/results/test-ids.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport, CheckRequest, EvaluationRequest, TreeAudit } from '../../ports/evaluation.ts';
import type { ProjectPlan } from '../../ports/plan.ts';
import type { Evaluation, TestCase } from '../../schema/generated.ts';
import type { NotedCheck } from '../stability.ts';
import type { OpenPristine } from '../run-test-command.ts';
import { isPartlyConfirmed } from '../test-command.ts';
import type { Aside } from './aside.ts';

/** Inputs for the verification of an evaluation. */
export interface Verification {
  readonly plan: ProjectPlan;
  readonly checks: readonly Check[];
  readonly ids: TestIds;
  /** The request that the evaluation answers, with one audit for all who ask. */
  readonly evaluation: EvaluationRequest;
  /** When the checks began, in milliseconds since the epoch. */
  readonly since: number;
  /** An uncached request for the same tree. */
  readonly request: CheckRequest;
  /** The reports that the evaluation was made from. */
  readonly reports: readonly CheckReport[];
  /** Command line of the held-out checks, which the actor never sees. */
  readonly holdout?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Opens the checkout of what would be delivered. */
  readonly openPristine: OpenPristine;
  /** Makes a checkout for the held-out checks alone, in which nothing has run; undefined: they run where the tree lies. */
  readonly openUnused: OpenPristine;
  /** Runs in a second checkout; undefined if there are none. */
  readonly aside?: Aside | undefined;
}

/** The checks with the runs that serve other proofs, and the stability of the tests as well. */
export type NotedRuns = ReadonlyMap<Check, NotedCheck>;

/** What an audit says of the sources concerns the tree, which stays the same: one is made, after the checks. */
export function auditedOnce(asked: EvaluationRequest): EvaluationRequest {
  const { audit } = asked;
  if (audit === undefined) return asked;
  let made: Promise<TreeAudit> | undefined;
  return { ...asked, audit: (since) => (made ??= audit(since)) };
}

/** Whether an actor's tree is about to be accepted. */
export function isCandidate({ confirm, refused }: EvaluationRequest): boolean {
  return confirm && refused !== undefined;
}

/** Whether a command failed on the untouched tree and passes now. */
export function hasTurnedGreen({ plan }: Check, baseline: Evaluation, { reports }: Verification): boolean {
  const before = baseline.checks.find(({ name }) => name === plan.name);
  const now = reports.find(({ name }) => name === plan.name);
  return plan.tool === 'command' && before?.status === 'fail' && now?.status === 'pass';
}

/** Whether commands build something before a check. */
export function isBuilt({ plan: { name } }: Check, { plan }: Verification): boolean {
  return setupOf(name, plan).length > 0;
}

/** Whether a check needs set-up that the test command does not do in the checkout. */
export function lacksSetup({ plan: { name, cwd } }: Check, { plan, reports }: Verification): boolean {
  const { setup = [], steps = [] } = plan.testCommand ?? {};
  const own = steps.filter((step) => step.isSetup === true && step.cwd === cwd);
  const done = new Set([...setup, ...own.map(({ command }) => command)]);
  const needed = setupOf(name, plan);
  return needed.length > 0 && (isPartlyConfirmed(reports) || !needed.every((line) => done.has(line)));
}

function setupOf(name: string, { checks }: ProjectPlan): readonly string[] {
  return checks.find((it) => it.name === name)?.setup ?? [];
}

/** The check's request in the checkout; in the tree itself if the check needs set-up that the test command does not do. */
export async function requestInCheckout(check: Check, verification: Verification): Promise<CheckRequest> {
  const { request, openPristine } = verification;
  const own = { ...request, cacheDir: join(request.cacheDir, check.plan.name) };
  const pristine = lacksSetup(check, verification) ? undefined : await openPristine();
  return pristine === undefined ? own : { ...own, root: pristine.root, sandbox: pristine.sandbox };
}

export interface BothTests {
  readonly before: readonly TestCase[];
  readonly now: readonly TestCase[];
}

/** Tests of a check that reports them, before and after, with the ids of its own reports. */
export function testsOf(
  check: Check,
  baseline: Evaluation,
  { ids, reports, evaluation: { redByChance = [] } }: Verification,
): BothTests | undefined {
  const report = reports.find(({ name }) => name === check.plan.name);
  if (report === undefined || report.status === 'skip' || check.plan.tool === 'command') return undefined;
  const now = report.tests.filter(({ id }) => !redByChance.includes(id));
  return { before: ids.bare(report.name, baseline.tests), now: ids.bare(report.name, now) };
}

/** Files of the tests that a command reports, relative to the root. */
export function testFilesOf({ plan }: Check, { reports }: Verification): string[] {
  const tests = reports.find(({ name }) => name === plan.name)?.tests ?? [];
  return [...new Set(tests.flatMap(({ file }) => file ?? []))];
}

const SLACK_MS = 5_000;

/** Maximum time for a run in which tests must fail: one that fails before it closes a server would never end. */
export function failingRunMs({ plan }: Check, { reports, request }: Verification): number {
  const usual = reports.find(({ name }) => name === plan.name)?.duration_ms ?? 0;
  return Math.min(request.timeoutMs, SLACK_MS + 5 * usual);
}
