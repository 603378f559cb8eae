import type { AttemptContext } from '../ports.ts';
import type { Diagnostic, Reflection } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';
import { line, type FencedText } from './bounded-data.ts';
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
  readonly reward: string;
  readonly reflections: readonly {
    readonly attempt: number;
    /** True for an attempt of an earlier loop with the same task. */
    readonly earlier: boolean;
    readonly reward: string;
    readonly category: string;
    /** Longer than any run of backticks in the reflection. */
    readonly fence: string;
    readonly text: string;
    /** Without those that the text ends with. */
    readonly insights: readonly string[];
    readonly lessons: readonly string[];
  }[];
  readonly lastPatch: string;
  /** Longer than any run of backticks in the patch. */
  readonly lastPatchFence: string;
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
}

const MAX_FAILURES = 20;
const MAX_MESSAGE_CHARS = 1500;
const MAX_VALUE_CHARS = 600;
const MAX_FRAMES = 5;
/** Maximum bytes of a one-line text, and of a reflection. */
const MAX_LINE = 2000;
const MAX_TEXT = 8000;
const MAX_PATCH_CHARS = 12_000;

/**
 * Variables for an attempt, each bounded: memory and reflections, the task, the current check results. Texts of tests and
 * tools are fenced so that they cannot close the fence, or are one line.
 */
export function attemptPrompt(context: AttemptContext): AttemptPrompt {
  const { evaluation } = context;
  const lastPatch = printable(boundText(context.lastAttempt?.patch ?? '', MAX_PATCH_CHARS));
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    guidance: context.guidance,
    ...memorySection(context.memory),
    task: context.task,
    reward: evaluation.reward.toFixed(3),
    reflections: context.reflections.map((reflection) => toReflection(reflection, context.loopId)),
    lastPatch,
    lastPatchFence: fenceFor(lastPatch),
    checks: evaluation.checks.map(({ name, status, detail, command }) => ({
      name: line(name, MAX_LINE),
      status,
      detail: line(detail, MAX_LINE),
      command: line(command, MAX_LINE),
    })),
    failures: failing.slice(0, MAX_FAILURES).map(toFailure),
    failuresCut: Math.max(0, failing.length - MAX_FAILURES),
  };
}

function toReflection(
  { loop_id, iteration, evaluator_output, self_reflection: self }: Reflection,
  loopId: string,
): AttemptPrompt['reflections'][number] {
  const text = line(self.reflection_text, MAX_TEXT);
  const said = text.toLowerCase();
  const insights = self.actionable_insights
    .map((insight) => line(insight, MAX_LINE))
    .filter((insight) => !said.includes(insight.toLowerCase()));
  const lessons = self.lessons_learned.map((lesson) => line(lesson, MAX_LINE));
  return {
    fence: fenceFor([text, ...insights, ...lessons].join('\n')),
    attempt: iteration + 1,
    earlier: loop_id !== loopId,
    reward: evaluator_output.reward_signal.toFixed(3),
    category: self.credit_assignment.failure_category,
    text,
    insights,
    lessons,
  };
}

function toFailure(diagnostic: Diagnostic): AttemptPrompt['failures'][number] {
  const { check, file, line: row, column, rule, frames } = diagnostic;
  const bounded = (text: string | undefined, limit: number): string => printable(boundText(text ?? '', limit));
  const message = bounded(diagnostic.message, MAX_MESSAGE_CHARS);
  const expected = bounded(diagnostic.expected, MAX_VALUE_CHARS);
  const received = bounded(diagnostic.received, MAX_VALUE_CHARS);
  return {
    check: line(check, MAX_LINE),
    title: line(rule ?? diagnostic.type, MAX_LINE),
    place: line([file, row, column].filter((part) => part !== undefined).join(':'), MAX_LINE),
    fence: fenceFor(message + expected + received),
    message,
    expected,
    received,
    frames: (frames ?? []).slice(0, MAX_FRAMES).map((frame) => line(`${frame.file}:${frame.line}`, MAX_LINE)),
  };
}
