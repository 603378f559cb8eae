import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckStatus, Diagnostic, TestCase } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { renderCommand } from './arguments.ts';
import type { CheckRun } from './check-run.ts';
import { printedCause } from '../results/printed-error.ts';
import { withKnownPlaces } from '../results/known-places.ts';
import { cleanText, createDiagnostic, MAX_DIAGNOSTICS } from '../results/diagnostics.ts';

const MAX_OUTPUT = 32_000;
/** Text is cut to this length before it is cleaned, since cleaning is slow; it may become shorter by cleaning. */
const MAX_CLEANED = 4 * MAX_OUTPUT;
const MAX_FILES = 100_000;
/** Characters of output at the end of a message. */
const TAIL = 1_500;

/** The result of a check; its report adds what follows from the plan and the run. */
export interface Finding {
  readonly status: CheckStatus;
  /** One sentence: the reason for the status. */
  readonly detail: string;
  readonly outcome: ProcessOutcome;
  /** The command line as words, or as one text. */
  readonly command: readonly string[] | string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly tests?: readonly TestCase[];
  /** True if the tool did not run to its end, or not all of its output was read. */
  readonly unfinished?: boolean;
  /** Files that a type checker or linter read, relative to the root. */
  readonly checkedFiles?: readonly string[];
}

/** The report of a finding, within the limits of its schema. Errors are counted before the list of diagnostics is cut. */
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
    ...(finding.unfinished === true ? { unfinished: true } : {}),
    checked_files: finding.checkedFiles?.slice(0, MAX_FILES),
    errors: bySeverity('error'),
    warnings: bySeverity('warning'),
    duration_ms: outcome.durationMs,
    exit_code: outcome.exitCode,
    detail: finding.detail.slice(0, 2_000),
    // Without the path of the workspace, so that it can be run in the user's tree.
    command: run.paths.strip(typeof command === 'string' ? command : renderCommand(command)).slice(0, 8_000),
    output: boundText(cleanText(boundText(printed(outcome), MAX_CLEANED), run.paths), MAX_OUTPUT),
    diagnostics: withKnownPlaces(diagnostics.slice(0, MAX_DIAGNOSTICS), run.paths.root),
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

/** Everything that a program printed, standard output first. */
export function printed({ stdout, stderr }: ProcessOutcome): string {
  return [stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== '').join('\n');
}

/** The end of what a program printed, standard error last: a crash names its reason there. */
export function outputTail(outcome: ProcessOutcome): string {
  const text = printed(outcome);
  return text.length > TAIL ? `… ${text.slice(-TAIL)}` : text;
}

/**
 * The finding for a tool that did not end by itself: stopped by the user, out of time, or impossible to start.
 * undefined where it ended by itself.
 */
export function abnormalEnd(
  run: CheckRun,
  command: Finding['command'],
  outcome: ProcessOutcome,
): Finding | undefined {
  if (outcome.aborted)
    return { status: 'error', unfinished: true, detail: 'The run was stopped.', outcome, command };
  if (outcome.timedOut) return timedOut(run, command, outcome);
  if (outcome.limit !== undefined) return exceeded(run, command, outcome, outcome.limit);
  if (outcome.failure === undefined && outcome.exitCode !== 126 && outcome.exitCode !== 127) return undefined;
  return couldNotRun(run, command, outcome, outcome.failure);
}

/** The finding for a tool that gave no result: status `error`. */
export function couldNotRun(
  run: CheckRun,
  command: Finding['command'],
  outcome: ProcessOutcome,
  reason = describeEnd(outcome),
): Finding {
  const { name, tool } = run.plan;
  const cause = cleanText(printedCause(printed(outcome)), run.paths);
  const detail = `${tool} could not run: ${[reason, cause].filter(Boolean).join(': ')}.${networkNote(outcome)}`;
  const message = [detail, outputTail(outcome)].filter(Boolean).join('\n');
  const diagnostic = createDiagnostic({ type: 'other', check: name, message }, run.paths);
  return { status: 'error', unfinished: true, detail, outcome, command, diagnostics: [diagnostic] };
}

/** A sentence for a failure that the closed network may have caused; empty where no program asked for it. */
export function networkNote({ askedNetwork }: ProcessOutcome): string {
  return askedNetwork === true
    ? ' It asked for the network, which the sandbox blocks: --allow-network permits it.'
    : '';
}

/** How a program ended, such as `exit code 1` or `ended by SIGKILL`. */
export function describeEnd({ exitCode, signal }: ProcessOutcome): string {
  return exitCode === null ? `ended by ${signal ?? 'an unknown signal'}` : `exit code ${exitCode}`;
}

function exceeded(
  run: CheckRun,
  command: Finding['command'],
  outcome: ProcessOutcome,
  limit: string,
): Finding {
  const detail = `Ended: ${limit}.`;
  const message = [`${run.plan.tool} was ended: ${limit}.`, outputTail(outcome)].filter(Boolean).join('\n');
  const diagnostic = createDiagnostic({ type: 'other', check: run.plan.name, message }, run.paths);
  return { status: 'fail', unfinished: true, detail, outcome, command, diagnostics: [diagnostic] };
}

function timedOut(run: CheckRun, command: Finding['command'], outcome: ProcessOutcome): Finding {
  const detail = `Not finished within ${run.request.timeoutMs} ms.`;
  const message = [`${run.plan.tool} did not finish in time.`, outputTail(outcome)]
    .filter(Boolean)
    .join('\n');
  const diagnostic = createDiagnostic({ type: 'timeout', check: run.plan.name, message }, run.paths);
  return { status: 'fail', unfinished: true, detail, outcome, command, diagnostics: [diagnostic] };
}
