import { join } from 'node:path';
import type {
  Bench,
  Check,
  CheckReport,
  CheckRequest,
  EvaluationRequest,
  Evaluator,
  Narrowing,
  ProjectPlan,
} from '../ports.ts';
import type { Evaluation } from '../schema/generated.ts';
import { messageOf } from '../errors.ts';
import { believe } from '../proof/believe.ts';
import { confirmWith } from '../proof/confirm.ts';
import { withoutRenamed } from './results/renamed-tests.ts';
import { summarise } from './score/evaluation.ts';
import { rerunSuspects } from './flaky.ts';
import { addFailure, scoreReport, type CheckBaseline, type ScoredReport } from './score/reward.ts';
import { runSharedSetup } from './run/setup.ts';
import { createTestIds, type TestIds } from './results/test-ids.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';

export interface SuiteOptions {
  readonly plan: ProjectPlan;
  /** One for each check of the plan, made from it by `withoutSetup`: the suite runs the setup. */
  readonly checks: readonly Check[];
  /** Absolute folder of ours, outside the tree, kept between runs. */
  readonly cacheDir: string;
  readonly checkTimeoutMs: number;
  /** Accept what failed before, ask for a gain and nothing worse. */
  readonly noRegressions: boolean;
  /** True for files that the user lets the actor change; tests in them may get other names. Default: for none. */
  readonly isAllowed?: (path: string) => boolean;
  /** Command line of checks that the actor never sees. */
  readonly holdout?: string | undefined;
  /** What the tools are confined to; without it, they have ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
  /** Called as each check ends, before it is scored. */
  readonly onCheckDone?: (report: CheckReport) => void;
}

/**
 * The evaluator over all checks of a project: they run in parallel, are held against the baseline, and, where
 * a result is to be confirmed, run uncached and followed once by the repository's own test command.
 * Never rejects for what the checked code does.
 */
export function createSuite(options: SuiteOptions): Evaluator {
  const suite = { options, ids: createTestIds(options.checks), green: new Map<string, CheckReport>() };
  return { evaluate: (request) => evaluate(suite, request) };
}

/** Runs single checks, whole or narrowed, in one tree (absolute path); setup commands come before every run. */
export function createBench(options: SuiteOptions & { readonly root: string }): Bench {
  const ids = createTestIds(options.checks);
  return {
    async run(name, narrowing) {
      const check = options.checks.find((it) => it.plan.name === name);
      if (check === undefined) throw new Error(`The project has no check called ${name}.`);
      const request = narrowedRequest(options, narrowing, ids.bare(name, narrowing.only ?? []));
      const setup = await runSharedSetup(setupPlans(options, [check]), request);
      return ids.publish(setup.get(name) ?? (await runSafely(check, inFolderOf(check, request))));
    },
  };
}

interface Suite {
  readonly options: SuiteOptions;
  readonly ids: TestIds;
  /** Reports of tests that were all green, by tree and check: a confirmation need not ask for them again. */
  readonly green: Map<string, CheckReport>;
}

async function evaluate(suite: Suite, request: EvaluationRequest): Promise<Evaluation> {
  const { options, ids } = suite;
  const started = performance.now();
  const reports = await runAll(suite, request);
  const scored = reports.map((report) => scoreReport(report, baselineOf(report, suite, request)));
  const confirmed = request.confirm ? await confirm(options, scored, request) : scored;
  const evaluation = summarise(confirmed.map(request.baseline === undefined ? keep : withoutFiles), {
    weightOf: (name) => options.plan.checks.find((plan) => plan.name === name)?.weight ?? 0,
    baseline: request.baseline,
    previous: request.previous,
    noRegressions: options.noRegressions,
    durationMs: 0,
  });
  const believed = await believe(evaluation, {
    ...{ ids, reports: confirmed, asked: request, checks: options.checks },
    ...{ holdout: options.holdout, sandbox: options.sandbox },
    request: { ...requestOf(options, request), fresh: true },
  });
  return { ...believed, duration_ms: Math.round(performance.now() - started) };
}

function keep(report: ScoredReport): ScoredReport {
  return report;
}

/** The files that a check looked at are held against the baseline's, and stored with that alone. */
function withoutFiles({ checked_files: _, ...report }: ScoredReport): ScoredReport {
  return report;
}

async function runAll(suite: Suite, evaluation: EvaluationRequest): Promise<CheckReport[]> {
  const { options, ids } = suite;
  const { root, confirm, signal, previous } = evaluation;
  const request = { ...requestOf(options, { root, signal }), fresh: confirm };
  const setup = await runSharedSetup(setupPlans(options, options.checks), request);
  const runOne = async (check: Check): Promise<CheckReport> => {
    const { name } = check.plan;
    const known = knownGreen(suite, check, evaluation);
    if (known !== undefined) return known;
    const own = inFolderOf(check, request);
    const report = setup.get(name) ?? (await runSafely(check, own));
    const passed = ids.bare(name, previous?.tests ?? []).filter((test) => test.status === 'passed');
    const passedBefore = new Set(confirm ? [] : passed.map((test) => test.id));
    const settled = await rerunSuspects(check, report, { request: own, passedBefore });
    options.onCheckDone?.(settled);
    return keepIfGreen(suite, ids.publish(settled), evaluation);
  };
  return Promise.all(options.checks.map(runOne));
}

/** Tests know no cache, so what is confirmed of them is their own command; linters and type checkers run anew. */
function knownGreen(
  { green, options }: Suite,
  { plan }: Check,
  { confirm, tree }: EvaluationRequest,
): CheckReport | undefined {
  const again = options.plan.testCommand !== undefined && plan.kind === 'tests';
  return confirm && again && tree !== undefined ? green.get(`${tree} ${plan.name}`) : undefined;
}

function keepIfGreen({ green }: Suite, report: CheckReport, { tree }: EvaluationRequest): CheckReport {
  const isGreen = report.kind === 'tests' && report.status === 'pass';
  if (tree !== undefined && isGreen) green.set(`${tree} ${report.name}`, report);
  return report;
}

/** A check that keeps its setup runs it itself. */
function setupPlans({ plan }: SuiteOptions, checks: readonly Check[]): ProjectPlan['checks'] {
  const bare = checks.filter((check) => check.plan.setup.length === 0).map((check) => check.plan.name);
  return plan.checks.filter((it) => bare.includes(it.name));
}

function requestOf(
  { cacheDir, checkTimeoutMs, sandbox }: SuiteOptions,
  { root, signal }: Pick<CheckRequest, 'root' | 'signal'>,
): CheckRequest {
  return { root, signal, cacheDir, timeoutMs: checkTimeoutMs, fresh: false, sandbox };
}

function narrowedRequest(
  options: SuiteOptions & { readonly root: string },
  { files, only, timeoutMs, memoryMb, writable, signal }: Narrowing,
  owned: NonNullable<Narrowing['only']>,
): CheckRequest {
  return {
    ...requestOf(options, { root: options.root, signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(memoryMb === undefined ? {} : { memoryMb }),
    ...(writable === undefined ? {} : { writable }),
    ...(files === undefined ? {} : { files }),
    ...(only === undefined ? {} : { only: owned }),
  };
}

function inFolderOf(check: Check, request: CheckRequest): CheckRequest {
  return { ...request, cacheDir: join(request.cacheDir, check.plan.name) };
}

/** A check rejects only for what is wrong on our side, such as a full disk: it could not run. */
async function runSafely(check: Check, request: CheckRequest): Promise<CheckReport> {
  try {
    return await check.run(request);
  } catch (error) {
    const { name, kind, tool } = check.plan;
    const nothing = { passed: 0, failed: 0, skipped: 0, total: 0, errors: 0, warnings: 0, duration_ms: 0 };
    const detail = `The check could not run: ${messageOf(error)}`.slice(0, 2_000);
    const empty = { ...nothing, exit_code: null, command: '', output: '', diagnostics: [], tests: [] };
    return { ...empty, name, kind, tool, status: 'error', detail };
  }
}

function baselineOf(
  report: CheckReport,
  { ids, options }: Suite,
  { baseline }: EvaluationRequest,
): CheckBaseline | undefined {
  if (baseline === undefined) return undefined;
  const result = baseline.checks.find((check) => check.name === report.name);
  const tests = ids.ownedBy(report.name, baseline.tests);
  return { result, tests: withoutRenamed(tests, report.tests, options.isAllowed) };
}

/** The repository's own test command counts as one more test of the first test check. */
async function confirm(
  { plan, checkTimeoutMs, sandbox }: SuiteOptions,
  reports: readonly ScoredReport[],
  { root, signal }: EvaluationRequest,
): Promise<readonly ScoredReport[]> {
  const command = plan.testCommand;
  const green = reports.every((report) => report.status === 'pass' || report.status === 'skip');
  const ranAlready = plan.checks.some(
    (check) => check.tool === 'command' && check.args[0] === command?.command && check.cwd === command?.cwd,
  );
  if (command === undefined || !green || ranAlready) return reports;
  const target = reports.find((report) => report.kind === 'tests') ?? reports[0];
  if (target === undefined) return reports;
  const timeoutMs = checkTimeoutMs * Math.max(1, reports.length);
  const objection = await confirmWith(command, { root, signal, timeoutMs, sandbox, check: target.name });
  if (objection === undefined) return reports;
  const refused = addFailure(target, objection.detail);
  const diagnostics = [objection.diagnostic, ...refused.diagnostics];
  return reports.map((report) =>
    report === target ? { ...refused, diagnostics, errors: refused.errors + 1 } : report,
  );
}
