import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Check } from '../ports.ts';
import type { CheckReport, CheckRequest, EvaluationRequest, TestFailure } from '../ports/evaluation.ts';
import type { CheckPlan, ProjectPlan } from '../ports/plan.ts';
import type { TestCase } from '../schema/generated.ts';
import { rerunAlone, rerunNewFailures } from './flaky.ts';
import { inOwnFolder, requestFor, runSafely, setupPlans, type CheckSettings } from './requests.ts';
import { runAffected } from './narrow/run-affected.ts';
import { reportsBefore } from './narrow/same-tree.ts';
import { resultBefore } from './narrow/unread-change.ts';
import { withoutRenamed, type AllowedFiles } from './results/renamed-tests.ts';
import { withoutThrown } from './results/thrown-points.ts';
import { createTestIds, type TestIds } from './results/test-ids.ts';
import { withoutUnfinished } from './results/unfinished-tests.ts';
import { runSharedSetup } from './run/setup.ts';
import { keepSetAside, setAsideBroken, setAsideCorrected } from './score/set-aside.ts';
import { withKnownTitles } from './score/changing-titles.ts';
import { scoreReport, type CheckBaseline, type ScoredReport } from './score/reward.ts';

/** Options of a suite. */
export interface SuiteOptions extends CheckSettings {
  /** Files that the user lets the actor change. Default: none. */
  readonly allowed?: AllowedFiles;
  /** Called for the first failed tests of each check while it runs: at most five, each once. */
  readonly onTestFailed?: (failure: TestFailure) => void;
  /** Called as each check ends, before it is scored. */
  readonly onCheckDone?: (report: CheckReport) => void;
}

/** More at once would only take memory: each runner has a worker for every core. */
const MAX_CHECKS_PER_CORE = 2;
const MAX_FIRST_FAILURES = 5;

/** All checks of a project. */
export interface Suite {
  readonly ids: TestIds;
  /**
   * Runs the checks in parallel and scores them against the baseline; uncached where the result is to be confirmed.
   * `beside`: what else runs meanwhile. `onDone`: called as each check ends, before it is scored, and for what is known of it
   * without a run. Never rejects for what the checked code does.
   */
  run(
    request: EvaluationRequest,
    beside?: Promise<unknown>,
    onDone?: SuiteOptions['onCheckDone'],
  ): Promise<ScoredReport[]>;
}

/** A suite, which remembers the green tests of each tree that it has run. */
export function createSuite(options: SuiteOptions): Suite {
  const ids = createTestIds(options.checks);
  const state: SuiteState = { options, ids, green: new Map() };
  return {
    ids,
    run: async (request, beside, onDone) => {
      const all = await runAll(state, request, { beside, onDone });
      const tree = { root: request.root, baseline: request.baseline?.tests };
      const scored = all
        .map((report) => withoutUnfinished(report, tree))
        .map((report) => withKnownTitles(report, ids.ownedBy(report.name, request.baseline?.tests ?? [])))
        .map((report) => scoreReport(report, baselineOf(report, state, request)));
      if (request.baseline !== undefined) return keepSetAside(scored, request.baseline);
      const judged = setAsideCorrected(scored, correctingChecks(options.plan));
      return request.setAside === undefined ? judged : setAsideBroken(judged, request.setAside === 'always');
    },
  };
}

/** ESLint is none of them: it judges what its own corrections leave. */
function correctingChecks({ checks }: Pick<ProjectPlan, 'checks'>): ReadonlySet<string> {
  const correcting = checks.filter(({ corrects, tool }) => corrects === true && tool === 'command');
  return new Set(correcting.map(({ name }) => name));
}

interface SuiteState {
  readonly options: SuiteOptions;
  readonly ids: TestIds;
  /** Reports of green tests by tree and check: a confirmation does not run them again. */
  readonly green: Map<string, CheckReport>;
}

interface Surroundings {
  readonly beside: Promise<unknown> | undefined;
  readonly onDone: SuiteOptions['onCheckDone'];
}

async function runAll(
  state: SuiteState,
  evaluation: EvaluationRequest,
  { beside, onDone }: Surroundings,
): Promise<CheckReport[]> {
  const { options, ids } = state;
  const { confirm, previous, baseline, isOwn = false, mayBeFlaky = false } = evaluation;
  const checks = options.checks.filter(({ plan }) => isThere(plan, evaluation));
  const known = reportsBefore(
    checks.map(({ plan }) => plan),
    evaluation,
    ids.ownedBy,
  );
  if (known !== undefined) return known;
  const request = { ...requestFor(options, evaluation), fresh: isFresh(evaluation), coverage: isOwn };
  const failedSetup = await runSharedSetup(setupPlans(options, checks), request);
  const runOne = async (check: Check): Promise<RunCheck> => {
    const { name } = check.plan;
    const known = knownGreen(state, check, evaluation);
    if (known !== undefined) onDone?.(known);
    if (known !== undefined) return { published: known };
    const own = inOwnFolder(check, request);
    const before = ids.bare(name, previous?.tests ?? []);
    // The check itself has no set-up commands: the suite runs them.
    const plan = options.plan.checks.find((it) => it.name === name) ?? check.plan;
    // Failed tests that run again are not reported twice: only the first run has the listener.
    const first = { ...own, onTestFailed: firstOnly(options.onTestFailed) };
    const narrow = await narrowed(check, { plan, own: first, before, evaluation });
    const report = failedSetup.get(name) ?? narrow ?? (await runSafely(check, first));
    const earlier = mayBeFlaky ? ids.bare(name, baseline?.tests ?? []) : before;
    const passed = earlier.filter((test) => test.status === 'passed');
    const passedBefore = new Set(confirm && !mayBeFlaky ? [] : passed.map((test) => test.id));
    const settled = await rerunNewFailures(check, report, { request: own, passedBefore });
    options.onCheckDone?.(settled);
    onDone?.(settled);
    const published = ids.publish(settled);
    if (narrow === undefined) rememberGreen(state, published, evaluation);
    return { published, again: () => rerunAlone(check, settled, own).then(ids.publish) };
  };
  const atOnce = pLimit(MAX_CHECKS_PER_CORE * availableParallelism());
  const done = await Promise.all(checks.map((check) => atOnce(() => runOne(check))));
  // A check of `node --test` runs more files at once than the repository's own command.
  const isShared = done.length > 1 || done.some(({ published }) => published.tool === 'node');
  const isCrowded = isOwn && (isShared || beside !== undefined);
  if (!isCrowded) return done.map(({ published }) => published);
  await beside;
  const reports: CheckReport[] = [];
  for (const { published, again } of done)
    reports.push(published.status === 'fail' && again !== undefined ? await again() : published);
  return reports;
}

/** A check of a package that was added later cannot run on an earlier tree. */
function isThere({ cwd }: CheckPlan, { root, isEarlier = false }: EvaluationRequest): boolean {
  return !isEarlier || existsSync(join(root, cwd));
}

/** Passes the first five different failures on. */
function firstOnly(listener: SuiteOptions['onTestFailed'] = () => {}): (failure: TestFailure) => void {
  const passed = new Set<string>();
  return (failure) => {
    const id = `${failure.file} > ${failure.test}`;
    if (passed.has(id) || passed.size >= MAX_FIRST_FAILURES) return;
    passed.add(id);
    listener(failure);
  };
}

interface RunCheck {
  /** With the ids of the suite. */
  readonly published: CheckReport;
  /** Runs failed tests again by themselves; undefined if the check did not run. */
  readonly again?: () => Promise<CheckReport>;
}

function isFresh({ confirm, isOwn = false, isUncached = false }: EvaluationRequest): boolean {
  return confirm && (!isOwn || isUncached);
}

interface NarrowOptions {
  /** As detected, with the commands in front of it. */
  readonly plan: CheckPlan;
  readonly own: CheckRequest;
  /** The tests of the check in the evaluation before, with the ids of its own reports. */
  readonly before: readonly TestCase[];
  readonly evaluation: EvaluationRequest;
}

/** The report of the tests that a change can affect, or of a type check that reads no changed file; undefined if all is to run. */
function narrowed(
  check: Check,
  { plan, own, before, evaluation }: NarrowOptions,
): Promise<CheckReport | undefined> | CheckReport | undefined {
  const { changed, previous, baseline = previous } = evaluation;
  if (isFresh(evaluation) || changed === undefined || previous === undefined) return undefined;
  if (plan.kind === 'types') return resultBefore({ plan, root: own.root, changed, previous });
  if (plan.setup.length > 0 || (own.coverage === true && plan.coverage !== undefined)) return undefined;
  const earlier = [previous, baseline!].map(({ checks }) => checks.find(({ name }) => name === plan.name));
  if (earlier.some((it) => it === undefined || it.status === 'error')) return undefined;
  // The time of a part says nothing about the whole.
  const wholeMs = Math.max(...earlier.map((it) => (it!.reused === undefined ? it!.duration_ms : Infinity)));
  // An attempt that passes is confirmed by all tests.
  const isFinal = evaluation.baseline === undefined;
  const paths = changed.map(({ path }) => path);
  return runAffected(check, { request: own, changed: paths, tests: before, wholeMs, isFinal }).catch(
    () => undefined,
  );
}

/**
 * Tests use no cache, so green tests of the same tree are not run again for a confirmation: the repository's own
 * test command confirms them. Linters and type checkers run again without cache.
 */
function knownGreen(
  { green, options }: SuiteState,
  { plan }: Check,
  { confirm, tree }: EvaluationRequest,
): CheckReport | undefined {
  const isConfirmedByCommand = options.plan.testCommand !== undefined && plan.kind === 'tests';
  return confirm && isConfirmedByCommand && tree !== undefined
    ? green.get(`${tree} ${plan.name}`)
    : undefined;
}

function rememberGreen({ green }: SuiteState, report: CheckReport, { tree }: EvaluationRequest): void {
  const isGreen = report.kind === 'tests' && report.status === 'pass';
  if (tree !== undefined && isGreen) green.set(`${tree} ${report.name}`, report);
}

function baselineOf(
  report: CheckReport,
  { ids, options }: SuiteState,
  { baseline }: EvaluationRequest,
): CheckBaseline | undefined {
  if (baseline === undefined) return undefined;
  const result = baseline.checks.find((check) => check.name === report.name);
  const tests = ids.ownedBy(report.name, baseline.tests);
  const required = withoutThrown(tests, report.tests, baseline.diagnostics);
  return { result, tests: withoutRenamed(required, report.tests, options.allowed) };
}
