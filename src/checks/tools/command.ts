import type { Check, CheckPlan, CheckReport } from '../../ports.ts';
import type { CheckKind, Diagnostic } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  endOf,
  outputTail,
  printed,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { reportTarget, watchReport } from '../run/command-reports.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import { judgeTests, type Ended } from './judge-tests.ts';
import { parseForeignReport, type ForeignReport } from '../parsers/foreign-report.ts';
import { parseLines } from '../parsers/lines.ts';
import { parseTscOutput } from '../parsers/tsc.ts';

const FAILURE_TYPE: Readonly<Record<CheckKind, Diagnostic['type']>> = {
  tests: 'test_failure',
  types: 'type_error',
  lint: 'lint_error',
  command: 'other',
};

/** Output that is kept of a command: a report on standard output has to fit. */
const KEEP_BYTES = 4_000_000;

/** Of output that is no report: where failures are looked for, half in its head and half in its tail. */
const MAX_READ_CHARS = 400_000;

/**
 * Any command line, judged by its exit code and, where it writes or prints one, by its JUnit, TAP or SARIF
 * report: both must agree.
 */
export function createCommandCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runCommand) };
}

async function runCommand(run: CheckRun): Promise<CheckReport> {
  const typed = run.plan.args[0] ?? '';
  const { command, file } = reportTarget(typed, run);
  const watched = watchReport(file);
  const outcome = await run.spawn({ shell: command, keepBytes: KEEP_BYTES });
  const written = await watched.read();
  const abnormal = abnormalEnd(run, typed, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const report = await reportOf(run, written, outcome);
  if (report === undefined && file !== undefined)
    return createReport(run, withoutReport(run, typed, outcome));
  // No more of it is looked at than this.
  const shown = { ...outcome, stdout: boundText(outcome.stdout, MAX_READ_CHARS) };
  return createReport(run, judge(run, { command: typed, outcome: shown }, report));
}

function reportOf(
  run: CheckRun,
  written: string | undefined,
  { stdout }: ProcessOutcome,
): Promise<ForeignReport | undefined> {
  const origin = originOf(run);
  return written === undefined
    ? parseForeignReport(stdout, origin, true)
    : parseForeignReport(written, origin);
}

function originOf({ plan, paths }: CheckRun): Parameters<typeof parseForeignReport>[1] {
  return { check: plan.name, paths, type: FAILURE_TYPE[plan.kind] };
}

/** The command was to write a report: without one its exit code alone is no pass. */
function withoutReport(run: CheckRun, command: string, outcome: ProcessOutcome): Finding {
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1) return couldNotRun(run, command, outcome);
  const detail = `The command ended without its report (${endOf(outcome)}).`;
  return { status: 'fail', detail, command, outcome, diagnostics: printedFailures(run, outcome, detail) };
}

function judge(run: CheckRun, ended: Ended, report: ForeignReport | undefined): Finding {
  if (report === undefined) return judgeByExitCode(run, ended);
  return report.kind === 'tests' ? judgeTests(run, report.results, ended) : judgeFindings(run, ended, report);
}

function judgeByExitCode(run: CheckRun, ended: Ended): Finding {
  const detail = `${endOf(ended.outcome)[0]!.toUpperCase()}${endOf(ended.outcome).slice(1)}.`;
  if (ended.outcome.exitCode === 0) return { ...ended, status: 'pass', detail };
  return { ...ended, status: 'fail', detail, diagnostics: printedFailures(run, ended.outcome, detail) };
}

function judgeFindings(
  run: CheckRun,
  ended: Ended,
  { diagnostics }: ForeignReport & { kind: 'findings' },
): Finding {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const summary = `${errors} errors and ${diagnostics.length - errors} other findings`;
  const finding = { ...ended, diagnostics };
  if (errors > 0) return { ...finding, status: 'fail', detail: `${summary}${yet(ended)}.` };
  if (ended.outcome.exitCode === 0) return { ...finding, status: 'pass', detail: `${summary}.` };
  const detail = `${summary}, and yet the command ended with ${endOf(ended.outcome)}.`;
  return {
    ...finding,
    status: 'fail',
    detail,
    diagnostics: [...printedFailures(run, ended.outcome, detail), ...diagnostics],
  };
}

function yet({ outcome }: Ended): string {
  return outcome.exitCode === 0 ? ', and yet the command ended with exit code 0' : '';
}

/** What the output names by file and line; without any, its tail is the one failure. */
function printedFailures(run: CheckRun, outcome: ProcessOutcome, detail: string): Diagnostic[] {
  const text = boundText(printed(outcome), MAX_READ_CHARS);
  const origin = originOf(run);
  const typed = parseTscOutput(text, origin);
  const found = typed.length > 0 ? typed : parseLines(text, origin);
  if (found.some(({ severity }) => severity === 'error')) return found;
  const message = [detail, outputTail(outcome)].filter(Boolean).join('\n');
  return [createDiagnostic({ type: origin.type, check: run.plan.name, message }, run.paths), ...found];
}
