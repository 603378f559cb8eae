import type { Evaluation, LoopStatus } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

/** What the stop conditions look at. */
export interface Progress {
  readonly attempts: readonly Attempt[];
  readonly maxIterations: number;
  /** Wall time since the loop began, and its limit. */
  readonly elapsedMs: number;
  readonly maxTimeMs?: number;
  readonly stopRequested: boolean;
}

const STALL_ATTEMPTS = 3;
const IDLE_ATTEMPTS = 2;

/** Why the loop ends after the last attempt, or undefined: go on. Pure; the order is the order of precedence. */
export function stopReason(progress: Progress): LoopStatus | undefined {
  if (progress.attempts.at(-1)?.accepted === true) return 'passed';
  if (progress.stopRequested) return 'aborted';
  if (isOutOfTime(progress)) return 'budget';
  if (progress.attempts.length >= progress.maxIterations) return 'exhausted';
  if (isStalled(progress.attempts)) return 'stalled';
  return undefined;
}

export function isOutOfTime({ elapsedMs, maxTimeMs }: Progress): boolean {
  return maxTimeMs !== undefined && elapsedMs >= maxTimeMs;
}

/** The same failures and no gain in three attempts, or two attempts in a row that changed nothing. */
export function isStalled(attempts: readonly Attempt[]): boolean {
  const idle = attempts.slice(-IDLE_ATTEMPTS);
  if (idle.length === IDLE_ATTEMPTS && idle.every(({ changes }) => changes.files.length === 0)) return true;
  const recent = attempts.slice(-STALL_ATTEMPTS);
  if (recent.length < STALL_ATTEMPTS) return false;
  const failures = new Set(recent.map(({ evaluation }) => fingerprintOf(evaluation)));
  return failures.size === 1 && recent.every(({ best }) => !best);
}

/** One value for the set of failures of an evaluation. */
export function fingerprintOf(evaluation: Evaluation): string {
  return evaluation.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ fingerprint }) => fingerprint)
    .sort()
    .join(' ');
}
