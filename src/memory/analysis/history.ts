import type { FailureCategory } from '../../schema/generated.ts';

/** The stored data of one attempt. */
export interface AttemptHistory {
  /** 1-based. */
  readonly iteration: number;
  /** 0..1. */
  readonly reward: number;
  readonly passed: boolean;
  /** Failures compared to the evaluation before; undefined where only the reflection is stored. */
  readonly errors?: { readonly fixed: number; readonly same: number; readonly new: number };
  readonly category?: FailureCategory;
  /** Confidence of its reflection, 0..1. */
  readonly confidence?: number;
  /** Ids of the lessons that it was shown. */
  readonly shown: readonly string[];
  /** Candidates that the search actor tried. */
  readonly tried?: number;
  /** Marks of the failures after it (`failureMarks`). */
  readonly failures: readonly string[];
}

/** The stored data of one loop. */
export interface LoopHistory {
  readonly id: string;
  readonly task: string;
  /** Null where only its reflections are stored, as in a fresh clone. */
  readonly status: string | null;
  /** Whether it ran with long-term memory; null where unknown. */
  readonly memory: boolean | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Reward before the first attempt, 0..1; null where unknown. */
  readonly baseline: number | null;
  /** Marks of the failures before the first attempt (`failureMarks`). */
  readonly failures: readonly string[];
  /** By iteration; attempts without stored data are left out. */
  readonly attempts: readonly AttemptHistory[];
}

/** A file that could not be read, and why. */
export interface LeftOut {
  /** Relative to the repository's root. */
  readonly path: string;
  /** A sentence without a subject. */
  readonly problem: string;
}

/** Whether the loop passed; null where unknown. */
export function hasPassed({ status, attempts }: LoopHistory): boolean | null {
  if (attempts.some(({ passed }) => passed)) return true;
  return status === null || status === 'running' ? null : status === 'passed';
}

/** Rewards of the attempts in order, preceded by the baseline where it is known. */
export function rewardsOf({ baseline, attempts }: LoopHistory): number[] {
  const rewards = attempts.map(({ reward }) => reward);
  return baseline === null ? rewards : [baseline, ...rewards];
}
