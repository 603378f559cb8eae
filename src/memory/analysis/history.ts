import type { FailureCategory } from '../../schema/generated.ts';

/** One attempt, as far as what is stored tells of it. */
export interface AttemptHistory {
  /** 1-based. */
  readonly iteration: number;
  /** 0..1. */
  readonly reward: number;
  readonly passed: boolean;
  /** Failures against the evaluation before it; undefined where only the reflection is left. */
  readonly errors?: { readonly fixed: number; readonly same: number; readonly new: number };
  readonly category?: FailureCategory;
  /** Of its reflection, 0..1. */
  readonly confidence?: number;
  /** Ids of the lessons that it was told of. */
  readonly told: readonly string[];
  /** Candidates that an actor which searches has tried. */
  readonly tried?: number;
  /** What still failed behind it. */
  readonly failures: readonly string[];
}

/** One loop. */
export interface LoopHistory {
  readonly id: string;
  readonly task: string;
  /** Null where only its reflections are left, as in a fresh clone. */
  readonly status: string | null;
  /** Whether it ran with long-term memory; null where it is not known. */
  readonly memory: boolean | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** 0..1; null where it is not known. */
  readonly baseline: number | null;
  /** What failed before the first attempt: fingerprints, and files with their rules. */
  readonly failures: readonly string[];
  /** By iteration; those that left nothing are not there. */
  readonly attempts: readonly AttemptHistory[];
}

/** A file that could not be used, and why. */
export interface LeftOut {
  /** Relative to the repository's root. */
  readonly path: string;
  /** A sentence without a subject. */
  readonly problem: string;
}

/** Whether an attempt of the loop passed; null while that is not known. */
export function hasPassed({ status, attempts }: LoopHistory): boolean | null {
  if (attempts.some(({ passed }) => passed)) return true;
  return status === null || status === 'running' ? null : status === 'passed';
}

/** Rewards in their order, the baseline first where it is known. */
export function rewardsOf({ baseline, attempts }: LoopHistory): number[] {
  const rewards = attempts.map(({ reward }) => reward);
  return baseline === null ? rewards : [baseline, ...rewards];
}
