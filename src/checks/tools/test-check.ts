import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check, CheckPlan, CheckReport } from '../../ports.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  endOf,
  notStarted,
  outputTail,
  printed,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { describeFailure } from '../results/failure-diagnostic.ts';
import { judgeTests } from './judge-tests.ts';
import { filesToRun } from './narrowing.ts';
import { parsePrintedError } from '../parsers/printed-error.ts';
import { REPORTER_DIR } from '../reporters/index.ts';
import { expectReport, type SealedReport } from '../reporters/sealed-report.ts';
import type { TestReport } from '../results/test-report.ts';
import { FILE_CASE, toTestResults } from '../results/test-results.ts';

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

  const sealed = await expectReport(reportFile);
  const outcome = await run.spawn({ file: process.execPath, args: words });
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const report = await readReport(sealed, runner);
  if (report === undefined) return createReport(run, endedWithoutReport(run, command, outcome));
  const whole = toTestResults(report, { check: plan.name, paths: run.paths });
  return createReport(run, judgeTests(run, whole, { command, outcome }));
}

/** What one would type: without our own reporter and its output. */
function shownCommand({ reportDir, entry, cwd }: RunnerCall, words: readonly string[]): string[] {
  const own = [reportDir, REPORTER_DIR];
  const shown = words.filter((word) => !own.some((folder) => word.includes(folder)));
  return ['node', ...shown.map((word) => (word === entry ? relative(cwd, entry) : word))];
}

async function readReport(sealed: SealedReport, runner: TestRunner): Promise<TestReport | undefined> {
  try {
    return runner.parse(await sealed.read());
  } catch {
    return undefined;
  }
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
