import { relative } from 'node:path';
import { shellWord } from '../../platform/processes/shell-words.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { CheckKind, Diagnostic } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { plural } from '../../platform/text/plural.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  describeEnd,
  networkNote,
  outputTail,
  printed,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { reportTarget, watchReport } from '../run/command-reports.ts';
import { cleanText, createDiagnostic } from '../results/diagnostics.ts';
import { reporterFile } from '../reporters/index.ts';
import { createFailureDiagnostic } from '../results/failure-diagnostic.ts';
import { parsePrintedError, printedCause, printedCrash } from '../results/printed-error.ts';
import { withCache } from './cached-line.ts';
import { measuresCoverage } from './test-selection.ts';
import { toTestFinding, type Ended } from './test-status.ts';
import { parseForeignReport, type ForeignReport } from '../parsers/foreign-report.ts';
import { parseLines } from '../parsers/lines.ts';
import { parseListedFindings } from '../parsers/listed-findings.ts';
import { parseTscOutput } from '../parsers/tsc.ts';

const FAILURE_TYPE: Readonly<Record<CheckKind, Diagnostic['type']>> = {
  tests: 'test_failure',
  types: 'type_error',
  lint: 'lint_error',
  command: 'other',
};

/** Bytes of output that are kept of a command: a report on standard output has to fit. */
const KEEP_BYTES = 4_000_000;

/** Characters of output without a report that are searched for failures: half from its start, half from its end. */
const MAX_READ_CHARS = 400_000;

/**
 * A check of any command line, by its exit code and, where it writes or prints one, by its JUnit, TAP or SARIF report.
 * It passes where both agree.
 */
export function createCommandCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runCommand) };
}

async function runCommand(run: CheckRun): Promise<CheckReport> {
  const typed = lineOf(run);
  const reporting = typed.replaceAll('{jasmine-tap}', () => shellWord(reporterFile('jasmine-tap')));
  const { command, file } = reportTarget(reporting, run);
  const watched = watchReport(file);
  const shell = withCache(command, run.request);
  const outcome = await run.spawn({ shell, keepBytes: KEEP_BYTES });
  const written = await watched.read();
  const abnormal = abnormalEnd(run, typed, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const report = await reportOf(run, written, outcome);
  if (report === undefined && file !== undefined)
    return createReport(run, withoutReport(run, typed, outcome));
  const isCut = outcome.isCut === true || outcome.stdout.length > MAX_READ_CHARS;
  const shown = { ...outcome, isCut, stdout: boundText(outcome.stdout, MAX_READ_CHARS) };
  return createReport(run, toFinding(run, { command: typed, outcome: shown }, withCrash(run, report, shown)));
}

/** The whole command line, or the one that runs the only file that is asked for. */
function lineOf({ plan, request }: CheckRun): string {
  const [file, ...others] = request.files ?? [];
  const { line, wrapper = [] } = measuresCoverage(request) ? (plan.coverage ?? {}) : {};
  if (line !== undefined) return line;
  const isOne = plan.fileLine !== undefined && file !== undefined && others.length === 0;
  return isOne
    ? plan.fileLine.replace('{file}', () => shellWord(relative(plan.cwd, file)))
    : [...wrapper.map(shellWord), plan.args[0] ?? ''].join(' ');
}

async function reportOf(
  run: CheckRun,
  written: string | undefined,
  { stdout, exitCode }: ProcessOutcome,
): Promise<ForeignReport | undefined> {
  const origin = originOf(run);
  if (written !== undefined) return parseForeignReport(written, origin);
  const report = await parseForeignReport(stdout, origin, true);
  // A program that ends well may print the failures of a program that it tests.
  return exitCode === 0 && isRed(report) && !TAP_BEGINS.test(stdout) ? undefined : report;
}

const TAP_BEGINS = /^\s*(TAP version 1[34]|1\.\.\d+|(not )?ok\b)/;

function isRed(report: ForeignReport | undefined): boolean {
  if (report?.kind !== 'tests') return false;
  const { problems, results } = report.results;
  return problems.length > 0 || results.some(({ test }) => test.status === 'failed');
}

/** The report of a program that a crash ended before its end, with the crash as one more failure. */
function withCrash(
  run: CheckRun,
  report: ForeignReport | undefined,
  outcome: ProcessOutcome,
): ForeignReport | undefined {
  const text = printed(outcome);
  if (report?.kind !== 'tests' || outcome.exitCode === 0 || printedCrash(text) === undefined) return report;
  const crash = { diagnostic: crashDiagnostic(run, text), scope: '' };
  const problems = [crash, ...report.results.problems];
  return { ...report, results: { ...report.results, problems } };
}

function crashDiagnostic({ plan, paths }: CheckRun, text: string): Diagnostic {
  const rule = { rule: 'uncaught error' };
  return createFailureDiagnostic(parsePrintedError(text), rule, { check: plan.name, paths });
}

function originOf({ plan, paths }: CheckRun): Parameters<typeof parseForeignReport>[1] {
  return { check: plan.name, paths, type: FAILURE_TYPE[plan.kind] };
}

/** A command that names a report file never passes by its exit code alone. */
function withoutReport(run: CheckRun, command: string, outcome: ProcessOutcome): Finding {
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1) return couldNotRun(run, command, outcome);
  const detail = `The command ended without its report (${describeEnd(outcome)}).`;
  const diagnostics = printedFailures(run, outcome, detail);
  return { status: 'fail', unfinished: true, detail, command, outcome, diagnostics };
}

function toFinding(run: CheckRun, ended: Ended, report: ForeignReport | undefined): Finding {
  if (report === undefined) return findingByExitCode(run, ended);
  return report.kind === 'tests'
    ? toTestFinding(run, report.results, ended)
    : findingByDiagnostics(run, ended, report);
}

function findingByExitCode(run: CheckRun, ended: Ended): Finding {
  const end = describeEnd(ended.outcome);
  const text = printed(ended.outcome);
  const words = ended.outcome.exitCode === 0 ? '' : (printedCrash(text) ?? printedCause(text));
  const cause = words === '' ? '' : `: ${cleanText(words, run.paths)}`;
  const said = `${end[0]!.toUpperCase()}${end.slice(1)}${cause}.`;
  if (ended.outcome.exitCode === 0) return { ...ended, status: 'pass', detail: said };
  const detail = said + networkNote(ended.outcome);
  const diagnostics = printedFailures(run, ended.outcome, detail);
  return { ...ended, status: 'fail', detail, unfinished: isUnfinished(ended.outcome), diagnostics };
}

/** True for a program that a crash or a signal ended, and for one that printed more than is read. */
function isUnfinished(outcome: ProcessOutcome): boolean {
  const text = printed(outcome);
  if (outcome.isCut === true || outcome.exitCode === null || text.length > MAX_READ_CHARS) return true;
  return printedCrash(text) !== undefined || TRACEBACK.test(text);
}

/** How Python prints an uncaught error. */
const TRACEBACK = /^Traceback \(most recent call last\):$/m;

function findingByDiagnostics(
  run: CheckRun,
  ended: Ended,
  { diagnostics }: ForeignReport & { kind: 'findings' },
): Finding {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const summary = `${plural(errors, 'error')} and ${plural(diagnostics.length - errors, 'other finding')}`;
  const finding = { ...ended, diagnostics };
  if (errors > 0) return { ...finding, status: 'fail', detail: `${summary}${conflictOf(ended)}.` };
  if (ended.outcome.exitCode === 0) return { ...finding, status: 'pass', detail: `${summary}.` };
  const detail = `${summary}, but the command ended with ${describeEnd(ended.outcome)}.`;
  return {
    ...finding,
    status: 'fail',
    detail,
    diagnostics: [...printedFailures(run, ended.outcome, detail), ...diagnostics],
  };
}

function conflictOf({ outcome }: Ended): string {
  return outcome.exitCode === 0 ? ', but the command ended with exit code 0' : '';
}

/** The failures that the output names by file and line; without any, one failure with the end of the output. */
function printedFailures(run: CheckRun, outcome: ProcessOutcome, detail: string): Diagnostic[] {
  const text = boundText(printed(outcome), MAX_READ_CHARS);
  const origin = originOf(run);
  const parsers = [parseTscOutput, parseListedFindings, parseLines];
  const found = parsers.reduce<Diagnostic[]>(
    (before, parse) => (before.length > 0 ? before : parse(text, origin)),
    [],
  );
  if (found.some(({ severity }) => severity === 'error')) return found;
  if (run.plan.kind === 'tests' && printedCrash(text) !== undefined)
    return [crashDiagnostic(run, text), ...found];
  const message = [detail, outputTail(outcome)].filter(Boolean).join('\n');
  return [createDiagnostic({ type: origin.type, check: run.plan.name, message }, run.paths), ...found];
}
