import type { Evaluation, LoopStatus, Usage } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

/** What the stop conditions look at. */
export interface Progress {
  readonly attempts: readonly Attempt[];
  readonly maxIterations: number;
  /** Wall time since the loop began, and its limit. */
  readonly elapsedMs: number;
  readonly maxTimeMs?: number;
  /** What attempts and reflections have taken, and how much they may. */
  readonly usage: Usage;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly stopRequested: boolean;
}

const STALL_ATTEMPTS = 3;
const IDLE_ATTEMPTS = 2;

/** Why the loop ends after the last attempt, or undefined: go on. Pure; the order is the order of precedence. */
export function stopReason(progress: Progress): LoopStatus | undefined {
  if (progress.attempts.at(-1)?.accepted === true) return 'passed';
  if (progress.stopRequested) return 'aborted';
  if (spentBudget(progress) !== undefined) return 'budget';
  if (progress.attempts.length >= progress.maxIterations) return 'exhausted';
  if (isStalled(progress.attempts)) return 'stalled';
  return undefined;
}

/** Which budget is spent, as a sentence; undefined: there is something left of each. */
export function spentBudget(progress: Omit<Progress, 'stopRequested' | 'maxIterations'>): string | undefined {
  const { attempts, elapsedMs, maxTimeMs, maxCostUsd, maxTokens, usage } = progress;
  const last = attempts.at(-1)?.trajectory;
  if (last?.outcome === 'out_of_budget') return last.message;
  if (maxTimeMs !== undefined && elapsedMs >= maxTimeMs) return 'The time budget is spent.';
  const tokens = usage.input_tokens + usage.output_tokens;
  if (maxTokens !== undefined && tokens >= maxTokens)
    return `The token budget is spent: ${tokens} of ${maxTokens}.`;
  if (maxCostUsd === undefined) return undefined;
  if (usage.cost_usd === null)
    return `The actor did not tell what it cost, so $${maxCostUsd} cannot be kept to.`;
  return usage.cost_usd >= maxCostUsd
    ? `The budget is spent: $${usage.cost_usd.toFixed(4)} of $${maxCostUsd}.`
    : undefined;
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
