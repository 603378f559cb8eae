import type { FailureCategory } from '../../schema/generated.ts';
import { visitReflections, type DamagedFile, type ReflectionRecord } from '../episodes/reflection-files.ts';
import { failureMarks } from './read-attempts.ts';

/** The statements of a reflection on its attempt; the reflection itself, which is a hundred times as large, is not kept. */
export interface ReflectedAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  /** Milliseconds since 1970; NaN where unknown. */
  readonly writtenAt: number;
  /** 0..1; undefined where unknown. */
  readonly reward: number | undefined;
  /** The reward before the attempt, 0..1; null where unknown. */
  readonly rewardBefore: number | null;
  readonly category: FailureCategory | undefined;
  /** 0..1. */
  readonly confidence: number | undefined;
  /** Ids of the lessons that the attempt was shown. */
  readonly shown: readonly string[];
  /** Marks of the failures after the attempt (`failureMarks`). */
  readonly failures: readonly string[];
}

/** The attempts that have a reflection, by the id of their loop, and the invalid files. */
export async function readReflected(
  repositoryRoot: string,
): Promise<{ readonly reflected: ReadonlyMap<string, ReflectedAttempt[]>; readonly damaged: DamagedFile[] }> {
  const reflected = new Map<string, ReflectedAttempt[]>();
  const texts = new Map<string, string>();
  // The same tasks, lessons and failures occur in many reflections; each text is kept once.
  const once = (text: string): string => texts.get(text) ?? texts.set(text, text).get(text)!;
  const damaged = await visitReflections(repositoryRoot, (record) => {
    const id = record.reflection.loop_id;
    const attempt = reflectedAttempt(record, once);
    const others = reflected.get(id);
    if (others === undefined) reflected.set(id, [attempt]);
    else others.push(attempt);
  });
  return { reflected, damaged };
}

function reflectedAttempt(record: ReflectionRecord, once: (text: string) => string): ReflectedAttempt {
  const { iteration, task_description: task, timestamp, evaluator_output: evaluation } = record.reflection;
  const { performance_delta: delta, self_reflection: self } = record.reflection;
  const ours = record.source === 'ralph' ? record.reflection : undefined;
  return {
    iteration: iteration + 1,
    task: once(task ?? ''),
    writtenAt: Date.parse(timestamp),
    reward: evaluation.reward_signal,
    rewardBefore: rewardBefore(evaluation.reward_signal, delta?.reward_change),
    category: self.credit_assignment?.failure_category as FailureCategory | undefined,
    confidence: self.confidence,
    shown: (ours?.previous_lessons_used ?? []).map(once),
    failures: failureMarks(ours?.evaluator_output.errors ?? []).map(once),
  };
}

function rewardBefore(reward: number | undefined, change: number | undefined): number | null {
  return reward === undefined || change === undefined ? null : Math.min(1, Math.max(0, reward - change));
}
