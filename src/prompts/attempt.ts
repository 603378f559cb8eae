import type { AttemptContext, AttemptStart } from '../ports/attempt.ts';
import { codeSpan } from '../platform/text/code-span.ts';
import { plural } from '../platform/text/plural.ts';
import { beyondText } from '../schema/beyond-text.ts';
import type { CheckResult, Diagnostic, Evaluation, Reflection } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';
import { isAdvice } from './advice.ts';
import { boundBytes, fenced, line, type FencedText } from './bounded-data.ts';
import { fenceFor } from './fence.ts';
import { memorySection } from './memory-section.ts';

/** Variables of `attempt.hbs`. */
export interface AttemptPrompt {
  readonly guidance: string;
  readonly playbook: FencedText;
  /** Lessons pinned by the user. */
  readonly pinned: readonly string[];
  /** Insights from earlier loops. */
  readonly memories: readonly string[];
  /** Longer than any run of backticks in insights and lessons. */
  readonly memoryFence: string;
  /** Lessons that are not pinned. */
  readonly learned: readonly { readonly type: string; readonly text: string }[];
  readonly task: string;
  /** Output of elsewhere about the failure, such as the log of a CI job. */
  readonly background: FencedText;
  readonly reward: string;
  /** Test files that were written for the task before any code. */
  readonly acceptance: readonly string[];
  readonly reflections: readonly {
    readonly attempt: number;
    /** True for an attempt of an earlier loop with the same task. */
    readonly earlier: boolean;
    /** The attempt's change is in the tree, or was rolled back; both false if it made none or that is not known. */
    readonly isKept: boolean;
    readonly isRolledBack: boolean;
    readonly reward: string;
    readonly category: string;
    /** Longer than any run of backticks in the reflection. */
    readonly fence: string;
    readonly text: string;
    /** Without those that the text ends with. */
    readonly insights: readonly string[];
    /** Those of a model in this loop, without those that stand under the lessons of long-term memory. */
    readonly lessons: readonly string[];
  }[];
  /** The attempt before this one; an empty patch hides it. */
  readonly last: LastAttemptPrompt;
  /** True if every check passes before the attempt. */
  readonly isGreen: boolean;
  /** For example `2 checks fail`; empty if none is red. */
  readonly redChecks: string;
  /** Null in the first attempt. */
  readonly start: AttemptStart | null;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
    readonly command: string;
  }[];
  readonly failures: readonly {
    readonly check: string;
    readonly title: string;
    readonly place: string;
    /** Fence for message and values, longer than any run of backticks in them. */
    readonly fence: string;
    readonly message: string;
    readonly expected: string;
    readonly received: string;
    readonly frames: readonly string[];
  }[];
  /** Number of failures left out; 0 hides the line. */
  readonly failuresCut: number;
  readonly files: readonly (ShownFile & { readonly fence: string })[];
  /** Paths, one per line; empty hides the section. */
  readonly listing: string;
}

interface LastAttemptPrompt {
  readonly attempt: number;
  readonly reward: string;
  readonly isKept: boolean;
  readonly isRolledBack: boolean;
  readonly checks: readonly Pick<AttemptPrompt['checks'][number], 'name' | 'status' | 'detail'>[];
  readonly patch: string;
  /** Longer than any run of backticks in the patch. */
  readonly fence: string;
}

/** A file of the prompt. */
export interface ShownFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  /** Description of the part that is shown; empty if all is shown. */
  readonly cut: string;
}

/** Files of the workspace for a prompt. */
export interface ShownFiles {
  readonly files: readonly ShownFile[];
  /** Paths, one per line. */
  readonly listing: string;
}

const NO_FILES: ShownFiles = { files: [], listing: '' };

const MAX_FAILURES = 20;
const MAX_MESSAGE_CHARS = 1500;
const MAX_VALUE_CHARS = 600;
const MAX_FRAMES = 5;
/** Maximum bytes of a one-line text, and of a reflection. */
const MAX_LINE = 2000;
const MAX_TEXT = 8000;
const MAX_BACKGROUND_BYTES = 16_000;
const MAX_PATCH_CHARS = 12_000;

/**
 * Variables for an attempt, each bounded: memory and reflections, the task, the current check results. Texts of tests and
 * tools are fenced so that they cannot close the fence, or are one line.
 */
export function attemptPrompt(context: AttemptContext, shown: ShownFiles = NO_FILES): AttemptPrompt {
  const { evaluation } = context;
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    guidance: context.guidance,
    ...memorySection(context.memory),
    task: context.task,
    background: fenced(context.background ?? '', MAX_BACKGROUND_BYTES),
    reward: evaluation.reward.toFixed(3),
    acceptance: (context.acceptanceTests ?? []).map((path) => line(path, MAX_LINE)),
    reflections: context.reflections.map((reflection) => toReflection(reflection, context)),
    last: toLast(context),
    isGreen: evaluation.passed,
    redChecks: redChecks(evaluation),
    start: context.start ?? null,
    checks: evaluation.checks.map(toCheck),
    failures: failing.slice(0, MAX_FAILURES).map(toFailure),
    failuresCut: Math.max(0, failing.length - MAX_FAILURES),
    files: shown.files.map(({ path, text, cut }) => ({
      path: line(path, MAX_LINE),
      text: text.trimEnd(),
      cut,
      fence: fenceFor(text),
    })),
    listing: shown.listing,
  };
}

function toCheck({ name, status, detail, command }: CheckResult): AttemptPrompt['checks'][number] {
  return {
    name: line(name, MAX_LINE),
    status,
    detail: line(detail, MAX_LINE),
    command: line(command, MAX_LINE),
  };
}

function redChecks({ checks }: Evaluation): string {
  const red = checks.filter(({ status }) => status !== 'pass' && status !== 'skip').length;
  return red === 0 ? '' : plural(red, 'check fails', 'checks fail');
}

function toLast({ lastAttempt: last, start }: AttemptContext): LastAttemptPrompt {
  const patch = printable(boundText(last?.patch ?? '', MAX_PATCH_CHARS));
  return {
    attempt: last?.iteration ?? 0,
    reward: last?.evaluation.reward.toFixed(3) ?? '',
    ...standingOf(last?.iteration ?? 0, start),
    checks: last?.evaluation.checks.map(toCheck) ?? [],
    patch,
    fence: fenceFor(patch),
  };
}

type Standing = Pick<LastAttemptPrompt, 'isKept' | 'isRolledBack'>;

function standingOf(attempt: number, start: AttemptStart | undefined): Standing {
  return {
    isKept: start?.present.includes(attempt) ?? false,
    isRolledBack: start?.rolledBack.some((other) => other.attempt === attempt) ?? false,
  };
}

function toReflection(
  reflection: Reflection,
  { loopId, start, memory }: AttemptContext,
): AttemptPrompt['reflections'][number] {
  const { loop_id, iteration, evaluator_output, self_reflection: self } = reflection;
  const text = lines(self.reflection_text);
  const beyond = beyondText(reflection);
  // Nothing has checked what others than the rules advise.
  const mark = (reflection as Partial<Reflection>).reflector?.name === 'rules' ? '' : 'Not checked: ';
  const insights = beyond.insights.map((insight) => `${mark}${line(insight, MAX_LINE)}`);
  const told = new Set(memory?.lessons.map((lesson) => lesson.text));
  // Memory tells the lessons of earlier loops, or withholds them.
  const lessons = (loop_id === loopId ? beyond.lessons : [])
    .filter((lesson) => !told.has(lesson))
    .map((lesson) => `${isAdvice(lesson) ? mark : ''}${line(lesson, MAX_LINE)}`);
  return {
    fence: fenceFor([text, ...insights, ...lessons].join('\n')),
    attempt: iteration + 1,
    earlier: loop_id !== loopId,
    ...standingOf(iteration + 1, loop_id === loopId ? start : undefined),
    reward: evaluator_output.reward_signal.toFixed(3),
    category: self.credit_assignment.failure_category,
    text,
    insights,
    lessons,
  };
}

/** Text of a reflection, line by line. */
function lines(text: string): string {
  return boundBytes(text, MAX_TEXT)
    .split('\n')
    .map((row) => line(row, MAX_LINE))
    .filter((row) => row !== '')
    .join('\n');
}

function toFailure(diagnostic: Diagnostic): AttemptPrompt['failures'][number] {
  const { check, file, line: row, column, rule, frames } = diagnostic;
  const bounded = (text: string | undefined, limit: number): string =>
    printable(boundText(text ?? '', limit));
  const message = bounded(diagnostic.message, MAX_MESSAGE_CHARS);
  const expected = bounded(diagnostic.expected, MAX_VALUE_CHARS);
  const received = bounded(diagnostic.received, MAX_VALUE_CHARS);
  return {
    check: line(check, MAX_LINE),
    // A name comes from outside: as code it can neither end the line nor stand as text of the prompt.
    title: rule === undefined ? diagnostic.type : codeSpan(line(rule, MAX_LINE)),
    place: line([file, row, column].filter((part) => part !== undefined).join(':'), MAX_LINE),
    fence: fenceFor(message + expected + received),
    message,
    expected,
    received,
    frames: (frames ?? []).slice(0, MAX_FRAMES).map((frame) => line(`${frame.file}:${frame.line}`, MAX_LINE)),
  };
}
