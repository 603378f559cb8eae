import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan, CoveragePlan } from '../../ports/plan.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { scriptNode } from '../../platform/processes/script-node.ts';
import { shellCommand } from '../../platform/processes/shell-words.ts';
import { REPORTER_DIR, reporterFile, type ReporterName } from '../reporters/index.ts';
import { createSignedReport, type SignedReport } from '../reporters/signed-report.ts';
import { readBounded } from '../../platform/files/read-bounded.ts';
import { runningFilePath, type RunningTest } from '../reporters/note-running.ts';
import { watchFailures } from '../reporters/watch-failures.ts';
import { cleanText, createDiagnostic } from '../results/diagnostics.ts';
import { createFailureDiagnostic } from '../results/failure-diagnostic.ts';
import { parsePrintedError, printedCause } from '../results/printed-error.ts';
import type { TestReport } from '../results/test-report.ts';
import { toTestFailures } from '../results/test-failure.ts';
import { toTestResults } from '../results/test-results.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  describeEnd,
  notStarted,
  outputTail,
  printed,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { measuresCoverage, selectedFiles } from './test-selection.ts';
import { toTestFinding } from './test-status.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** How one test runner is called and how its report is read. */
export interface TestRunner {
  /** Our file that runs inside the runner and writes the report. */
  readonly reporter: ReporterName;
  /** Reads the text that the reporter wrote. Throws for any other text. */
  readonly parse: (text: string) => TestReport;
  /** Arguments of the runner itself. */
  readonly args: (call: RunnerCall) => readonly string[];
  /** Absolute path of a file that does the same as the runner's entry file, sooner; undefined: the entry file itself. */
  readonly program?: (call: RunnerCall) => string | undefined;
  /** Arguments of Node in front of the runner's entry file. */
  readonly nodeArgs?: (call: RunnerCall) => readonly string[];
}

/** Inputs of a runner's command line. */
export interface RunnerCall extends CheckRun {
  /** Absolute path of the reporter. */
  readonly reporter: string;
  /** Absolute path that the reporter writes to. */
  readonly reportFile: string;
  /** Absolute path of the runner's entry file; empty for `node` itself. */
  readonly entry: string;
  /** Test files relative to the check's folder; undefined for all. */
  readonly files: readonly string[] | undefined;
  /** How to measure the coverage; undefined where it does not matter. */
  readonly coverage: CoveragePlan | undefined;
}

/** A check of one test runner. It passes where the runner's signed report and its exit code agree. */
export function createTestCheck(plan: CheckPlan, runner: TestRunner): Check {
  return { plan, run: (request) => runCheck(plan, request, (run) => runTests(run, runner)) };
}

async function runTests(run: CheckRun, runner: TestRunner): Promise<CheckReport> {
  const { plan } = run;
  const call = createCall(run, runner);
  const { entry, reportFile } = call;
  const program = runner.program?.(call) ?? entry;
  const wordsWith = (file: string): string[] => [
    ...(runner.nodeArgs?.(call) ?? []),
    ...(file === '' ? [] : [file]),
    ...runner.args(call),
  ];
  const command = shownCommand(call, wordsWith(entry));
  if (entry !== '' && !existsSync(entry)) {
    return createReport(run, couldNotRun(run, command, notStarted, `${plan.bin} does not exist`));
  }

  const signed = await createSignedReport(reportFile);
  const { onTestFailed } = run.request;
  const watch =
    onTestFailed &&
    watchFailures(reportFile, (line) => {
      toTestFailures(runner.parse(line), { check: plan.name, paths: run.paths }).forEach(onTestFailed);
    });
  const outcome = await run.spawn(programOf(call, wordsWith(program)));
  watch?.close();
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) {
    const running = outcome.timedOut ? await readRunning(reportFile) : [];
    return createReport(run, withRunning(run, abnormal, running));
  }
  const report = await readReport(signed, runner);
  if (report === undefined) return createReport(run, endedWithoutReport(run, command, outcome));
  const results = toTestResults(report, { check: plan.name, paths: run.paths });
  return createReport(run, toTestFinding(run, results, { command, outcome }));
}

/** `words` for Node, or below the program that measures the coverage. */
function programOf({ coverage }: RunnerCall, words: readonly string[]): Parameters<CheckRun['spawn']>[0] {
  const { wrapper } = coverage ?? {};
  return wrapper === undefined
    ? { file: scriptNode().path, args: words }
    : { shell: shellCommand([...wrapper, scriptNode().path, ...words]) };
}

function createCall(run: CheckRun, { reporter }: TestRunner): RunnerCall {
  const { plan, request, cwd, reportDir } = run;
  return {
    ...run,
    reporter: reporterFile(reporter),
    reportFile: join(reportDir, 'tests.json'),
    entry: plan.bin === undefined ? '' : resolve(request.root, plan.bin),
    files: selectedFiles(request)?.map((file) => relative(cwd, join(request.root, file))),
    coverage: measuresCoverage(request) ? plan.coverage : undefined,
  };
}

/** The command as a user would type it: without our reporter, its output file and our number of files at once. */
function shownCommand({ plan, reportDir, entry, cwd }: RunnerCall, words: readonly string[]): string[] {
  const own = [reportDir, REPORTER_DIR];
  const isOwn = (word: string): boolean =>
    own.some((folder) => word.includes(folder)) ||
    (word.startsWith('--test-concurrency=') && !plan.args.includes(word));
  const shown = words.filter((word) => !isOwn(word));
  return ['node', ...shown.map((word) => (word === entry ? relative(cwd, entry) : word))];
}

async function readReport(signed: SignedReport, { parse }: TestRunner): Promise<TestReport | undefined> {
  try {
    return parse(await signed.read());
  } catch {
    return undefined;
  }
}

/** The note of the reporter; empty where there is none, or the tested code has replaced it by something else. */
async function readRunning(reportFile: string): Promise<readonly RunningTest[]> {
  try {
    const note: unknown = JSON.parse(await readBounded(runningFilePath(reportFile)));
    return Array.isArray(note) ? note.filter(isRunningTest).slice(0, MAX_RUNNING) : [];
  } catch {
    return [];
  }
}

/** More files than workers never run at once. */
const MAX_RUNNING = 8;

function isRunningTest(value: unknown): value is RunningTest {
  const { file, name } = (value ?? {}) as Record<string, unknown>;
  return typeof file === 'string' && (name === undefined || typeof name === 'string');
}

/** The finding of a run that was stopped, with a failure for each test that was running. */
function withRunning(run: CheckRun, finding: Finding, running: readonly RunningTest[]): Finding {
  const found = running.flatMap(({ file, name }) => {
    const path = run.paths.relative(file!);
    if (path === undefined) return [];
    // The runner may not have come to a test of the file yet.
    return name === undefined
      ? [{ path, shown: path, ending: 'The file was still running when the time was over.' }]
      : [{ path, shown: `"${name}" of ${path}`, ending: `"${name}" did not end.` }];
  });
  const [timeOut] = finding.diagnostics ?? [];
  if (found.length === 0 || timeOut === undefined) return finding;
  const list = found.map(({ shown }) => shown).join(', ');
  const detail = `${finding.detail} Still running: ${list}.`;
  const diagnostics = found.map(({ path, ending }) =>
    createDiagnostic(
      {
        type: 'timeout',
        check: run.plan.name,
        message: `${ending}\n${timeOut.message}`,
        file: path,
      },
      run.paths,
    ),
  );
  return { ...finding, detail, diagnostics };
}

const NO_TESTS = /no test(s| files?)? found|no test suite found/i;
/** Node's exit code for an option that it does not know. */
const BAD_OPTION = 9;

/**
 * The finding where the runner left no report: a failure, since the tested code ended the runner or kept it from
 * starting. It could not run where it found no test, or does not know an option.
 */
function endedWithoutReport(run: CheckRun, command: readonly string[], outcome: ProcessOutcome): Finding {
  if (outcome.exitCode === BAD_OPTION) return couldNotRun(run, command, outcome);
  if (outcome.exitCode !== 0 && NO_TESTS.test(outputTail(outcome)))
    return couldNotRun(run, command, outcome, 'no test was found');
  const cause = cleanText(printedCause(printed(outcome)), run.paths);
  const ended = `${run.plan.tool} ended without a report (${describeEnd(outcome)})`;
  const detail = `${[ended, cause].filter(Boolean).join(': ')}.`;
  const diagnostic = createFailureDiagnostic(
    parsePrintedError(printed(outcome)),
    { rule: FILE_CASE, headline: `${ended}.` },
    { check: run.plan.name, paths: run.paths },
  );
  return { status: 'fail', unfinished: true, detail, outcome, command, diagnostics: [diagnostic] };
}
