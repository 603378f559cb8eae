import type { AttemptContext } from '../ports.ts';
import type { Diagnostic, Reflection } from '../schema/generated.ts';
import { boundText } from '../util/bounded-text.ts';

/** Variables of `attempt.hbs`. */
export interface AttemptPrompt {
  readonly guidance: string;
  readonly task: string;
  readonly reward: string;
  readonly reflections: readonly {
    readonly attempt: number;
    readonly reward: string;
    readonly category: string;
    readonly text: string;
    readonly insights: readonly string[];
    readonly lessons: readonly string[];
  }[];
  readonly lastPatch: string;
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
    readonly message: string;
    readonly expected: string;
    readonly received: string;
    readonly frames: readonly string[];
  }[];
  /** How many failures were left out; 0 hides the line. */
  readonly failuresCut: number;
}

const MAX_FAILURES = 20;
const MAX_MESSAGE_CHARS = 1500;
const MAX_VALUE_CHARS = 600;
const MAX_FRAMES = 5;
const MAX_PATCH_CHARS = 12_000;

/** What an attempt is told, bounded: reflections first, then the task, then what fails now. */
export function attemptPrompt(context: AttemptContext): AttemptPrompt {
  const { evaluation } = context;
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    guidance: context.guidance,
    task: context.task,
    reward: evaluation.reward.toFixed(3),
    reflections: context.reflections.map(toReflection),
    lastPatch: boundText(context.lastAttempt?.patch ?? '', MAX_PATCH_CHARS),
    checks: evaluation.checks.map(({ name, status, detail, command }) => ({ name, status, detail, command })),
    failures: failing.slice(0, MAX_FAILURES).map(toFailure),
    failuresCut: Math.max(0, failing.length - MAX_FAILURES),
  };
}

function toReflection({
  iteration,
  evaluator_output,
  self_reflection: self,
}: Reflection): AttemptPrompt['reflections'][number] {
  return {
    attempt: iteration + 1,
    reward: evaluator_output.reward_signal.toFixed(3),
    category: self.credit_assignment.failure_category,
    text: self.reflection_text,
    insights: self.actionable_insights,
    lessons: self.lessons_learned,
  };
}

function toFailure(diagnostic: Diagnostic): AttemptPrompt['failures'][number] {
  const { check, file, line, column, rule, message, frames } = diagnostic;
  return {
    check,
    title: rule ?? diagnostic.type,
    place: [file, line, column].filter((part) => part !== undefined).join(':'),
    message: boundText(message, MAX_MESSAGE_CHARS),
    expected: boundText(diagnostic.expected ?? '', MAX_VALUE_CHARS),
    received: boundText(diagnostic.received ?? '', MAX_VALUE_CHARS),
    frames: (frames ?? []).slice(0, MAX_FRAMES).map((frame) => `${frame.file}:${frame.line}`),
  };
}
