import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Check, CheckPlan, CheckReport } from '../../ports.ts';
import type { TestCase } from '../../schema/generated.ts';
import type { ProcessOutcome } from '../../util/process.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  endOf,
  notStarted,
  outputTail,
  printed,
  type Finding,
} from '../check-report.ts';
import { runCheck, type CheckRun } from '../check-run.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { describeFailure } from '../failure-diagnostic.ts';
import { filesToRun, missingTests, narrowResults } from '../narrowing.ts';
import { parsePrintedError } from '../parsers/printed-error.ts';
import { REPORTER_DIR } from '../reporters/index.ts';
import type { TestReport } from '../test-report.ts';
import { FILE_CASE, toTestResults, type TestResults } from '../test-results.ts';

/** How one runner is called and read. */
export interface TestRunner {
  /** Arguments of Node that come before the tool's entry file. */
  nodeArgs?(run: RunnerCall): readonly string[];
  /** Arguments of the tool itself. */
  args(run: RunnerCall): readonly string[];
  /** The runner's report; throws for a text that is none. */
  parse(text: string): TestReport;
}

/** What a runner's command line is made of. */
export interface RunnerCall extends CheckRun {
  readonly reportFile: string;
  /** Absolute path of the tool's entry file; empty for `node` itself. */
  readonly entry: string;
  /** Test files relative to the tool's folder; undefined for all. */
  readonly files: readonly string[] | undefined;
}

/** A check of one test runner: its own report is believed where its exit code agrees. */
export function createTestCheck(plan: CheckPlan, runner: TestRunner): Check {
  return { plan, run: (request) => runCheck(plan, request, (run) => runTests(run, runner)) };
}

async function runTests(run: CheckRun, runner: TestRunner): Promise<CheckReport> {
  const { plan, request } = run;
  const entry = plan.bin === undefined ? '' : resolve(request.root, plan.bin);
  const reportFile = join(run.reportDir, 'tests.json');
  const files = filesToRun(request)?.map((file) => relative(run.cwd, join(request.root, file)));
  const call: RunnerCall = { ...run, reportFile, entry, files };
  const words = [...(runner.nodeArgs?.(call) ?? []), ...(entry === '' ? [] : [entry]), ...runner.args(call)];
  const command = shownCommand(call, words);
  if (entry !== '' && !existsSync(entry)) {
    return createReport(run, couldNotRun(run, command, notStarted, `${plan.bin} is not there`));
  }

  const outcome = await run.spawn({ file: process.execPath, args: words });
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const report = await readReport(reportFile, runner);
  if (report === undefined) return createReport(run, endedWithoutReport(run, command, outcome));
  const whole = toTestResults(report, { check: plan.name, paths: run.paths });
  return createReport(run, judge(run, whole, { command, outcome }));
}

/** What one would type: without our own reporter and its output. */
function shownCommand({ reportDir, entry, cwd }: RunnerCall, words: readonly string[]): string[] {
  const own = [reportDir, REPORTER_DIR];
  const shown = words.filter((word) => !own.some((folder) => word.includes(folder)));
  return ['node', ...shown.map((word) => (word === entry ? relative(cwd, entry) : word))];
}

async function readReport(file: string, runner: TestRunner): Promise<TestReport | undefined> {
  try {
    return runner.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

type Ended = Pick<Finding, 'command' | 'outcome'>;

/** Judges the whole report first: what was not asked for is dropped only after exit code and report agree. */
function judge(run: CheckRun, whole: TestResults, ended: Ended): Finding {
  const narrowed = narrowResults(whole, run.request);
  const tests = narrowed.results.map(({ test }) => test);
  const diagnostics = [
    ...narrowed.results.flatMap((result) => result.diagnostics),
    ...narrowed.problems.map((problem) => problem.diagnostic),
  ];
  const failed = tests.filter((test) => test.status === 'failed').length;
  const finding = { ...ended, tests, diagnostics };
  const objection = objectionTo(run, whole, finding);
  if (failed > 0 || whole.problems.length > 0) {
    const problems =
      whole.problems.length > 0 ? ` and ${whole.problems.length} failures outside of tests` : '';
    const detail = [`${failed} of ${count(tests)} tests failed${problems}.`, objection]
      .filter(Boolean)
      .join(' ');
    return { ...finding, status: 'fail', detail };
  }
  if (objection !== undefined)
    return {
      ...finding,
      status: 'fail',
      detail: objection,
      diagnostics: [...diagnostics, noted(run, objection, ended)],
    };
  if (tests.length === 0) return couldNotRun(run, ended.command, ended.outcome, 'no test was found');
  if (count(tests) === 0) return { ...finding, status: 'skip', detail: 'Every test is skipped.' };
  return { ...finding, status: 'pass', detail: `All ${count(tests)} tests passed.` };
}

function count(tests: readonly { readonly status: string }[]): number {
  return tests.filter((test) => test.status !== 'skipped').length;
}

/** Why a report without failures is no pass. */
function objectionTo(
  { plan, request }: CheckRun,
  whole: TestResults,
  { outcome, tests }: Ended & { readonly tests: readonly TestCase[] },
): string | undefined {
  const anyFailed = whole.problems.length > 0 || whole.results.some(({ test }) => test.status === 'failed');
  if (outcome.exitCode === 0 && anyFailed)
    return `${plan.tool} reported failures and yet ended with exit code 0.`;
  if (outcome.exitCode !== 0 && !anyFailed && whole.results.length > 0) {
    return `${plan.tool} reported no failure and yet ended with ${endOf(outcome)}.`;
  }
  const missing = missingTests(tests, request);
  return missing.length === 0 ? undefined : `${missing.length} of the tests asked for did not run.`;
}

function noted(run: CheckRun, message: string, { outcome }: Ended): ReturnType<typeof createDiagnostic> {
  const text = [message, outputTail(outcome)].filter(Boolean).join('\n');
  return createDiagnostic({ type: 'other', check: run.plan.name, message: text }, run.paths);
}

const NO_TESTS = /no test(s| files?)? found|no test suite found/i;
/** Node: bad option. */
const BAD_OPTION = 9;

/** The tested code ended the runner, or kept it from starting; a runner that has nothing to run is told apart. */
function endedWithoutReport(run: CheckRun, command: readonly string[], outcome: ProcessOutcome): Finding {
  const text = outputTail(outcome);
  if (outcome.exitCode === BAD_OPTION) return couldNotRun(run, command, outcome);
  if (outcome.exitCode !== 0 && NO_TESTS.test(text))
    return couldNotRun(run, command, outcome, 'no test was found');
  const detail = `${run.plan.tool} ended without a report (${endOf(outcome)}).`;
  const error = parsePrintedError(printed(outcome));
  const diagnostic = describeFailure(
    error,
    { rule: FILE_CASE, headline: detail },
    { check: run.plan.name, paths: run.paths },
  );
  return { status: 'fail', detail, outcome, command, diagnostics: [diagnostic] };
}
