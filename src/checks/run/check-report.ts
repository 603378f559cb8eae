import type { CheckReport } from '../../ports.ts';
import type { CheckStatus, Diagnostic, TestCase } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { renderCommand } from './arguments.ts';
import type { CheckRun } from './check-run.ts';
import { cleanText, createDiagnostic, MAX_DIAGNOSTICS } from '../results/diagnostics.ts';

const MAX_OUTPUT = 32_000;
/** Cleaning looks closely at every character; what of it is left over is still more than is kept. */
const MAX_CLEANED = 4 * MAX_OUTPUT;
const MAX_FILES = 100_000;
const TAIL = 1_500;

/** What a check found; everything else of its report follows from the run. */
export interface Finding {
  readonly status: CheckStatus;
  /** One sentence: what the status rests on. */
  readonly detail: string;
  readonly outcome: ProcessOutcome;
  /** The command line as words, or as one text. */
  readonly command: readonly string[] | string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly tests?: readonly TestCase[];
  /** Files that a type checker or linter looked at, relative to the root. */
  readonly checkedFiles?: readonly string[];
  /** Replaces what the tool printed, where that is mostly not for people. */
  readonly output?: string;
}

/** The report of a finding, within the bounds of its schema: counts taken before the list is cut. */
export function createReport(run: CheckRun, finding: Finding): CheckReport {
  const { plan } = run;
  const { outcome, command, diagnostics = [], tests = [] } = finding;
  const counted = (status: TestCase['status']): number =>
    tests.filter((test) => test.status === status).length;
  const bySeverity = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const [passed, failed] = [counted('passed'), counted('failed')];
  return {
    name: plan.name,
    kind: plan.kind,
    tool: plan.tool,
    status: finding.status,
    passed,
    failed,
    skipped: counted('skipped'),
    total: passed + failed,
    ...(finding.checkedFiles !== undefined && { checked_files: finding.checkedFiles.slice(0, MAX_FILES) }),
    errors: bySeverity('error'),
    warnings: bySeverity('warning'),
    duration_ms: outcome.durationMs,
    exit_code: outcome.exitCode,
    detail: finding.detail.slice(0, 2_000),
    // As it is run in the user's own tree: the copy that is judged lies elsewhere.
    command: run.paths.strip(typeof command === 'string' ? command : renderCommand(command)).slice(0, 8_000),
    output: boundText(
      cleanText(boundText(finding.output ?? printed(outcome), MAX_CLEANED), run.paths),
      MAX_OUTPUT,
    ),
    diagnostics: diagnostics.slice(0, MAX_DIAGNOSTICS),
    tests: [...tests],
  };
}

/** The outcome of a program that was never started. */
export const notStarted: ProcessOutcome = {
  exitCode: null,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  aborted: false,
  durationMs: 0,
};

/** What a tool printed, standard output first. */
export function printed({ stdout, stderr }: ProcessOutcome): string {
  return [stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== '').join('\n');
}

/** The end of what a tool printed, standard error last: where a crash says why. */
export function outputTail(outcome: ProcessOutcome): string {
  const text = printed(outcome);
  return text.length > TAIL ? `… ${text.slice(-TAIL)}` : text;
}

/**
 * The finding where a tool did not come to an end of its own: stopped by the user, out of time, or not to be
 * started. undefined where it ended by itself.
 */
export function abnormalEnd(
  run: CheckRun,
  command: Finding['command'],
  outcome: ProcessOutcome,
): Finding | undefined {
  if (outcome.aborted) return { status: 'error', detail: 'The run was stopped.', outcome, command };
  if (outcome.timedOut) return timedOut(run, command, outcome);
  if (outcome.failure === undefined && outcome.exitCode !== 126 && outcome.exitCode !== 127) return undefined;
  return couldNotRun(run, command, outcome, outcome.failure);
}

/** The finding that says a tool gave no answer, which is never a pass. */
export function couldNotRun(
  run: CheckRun,
  command: Finding['command'],
  outcome: ProcessOutcome,
  reason = endOf(outcome),
): Finding {
  const { name, tool } = run.plan;
  const detail = `${tool} could not run: ${reason}.`;
  const message = [detail, outputTail(outcome)].filter(Boolean).join('\n');
  const diagnostic = createDiagnostic({ type: 'other', check: name, message }, run.paths);
  return { status: 'error', detail, outcome, command, diagnostics: [diagnostic] };
}

/** How a program ended, in words that fit after a colon or `it`. */
export function endOf({ exitCode, signal }: ProcessOutcome): string {
  return exitCode === null ? `ended by ${signal ?? 'an unknown signal'}` : `exit code ${exitCode}`;
}

function timedOut(run: CheckRun, command: Finding['command'], outcome: ProcessOutcome): Finding {
  const detail = `Not finished within ${run.request.timeoutMs} ms.`;
  const message = [`${run.plan.tool} did not finish in time.`, outputTail(outcome)]
    .filter(Boolean)
    .join('\n');
  const diagnostic = createDiagnostic({ type: 'timeout', check: run.plan.name, message }, run.paths);
  return { status: 'fail', detail, outcome, command, diagnostics: [diagnostic] };
}
