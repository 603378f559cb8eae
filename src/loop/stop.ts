import type { Evaluation, LoopStatus, Usage } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

/** Input of the stop conditions. */
export interface Progress {
  readonly attempts: readonly Attempt[];
  readonly maxIterations: number;
  /** Wall time since the loop was started or resumed, and its limit. */
  readonly elapsedMs: number;
  readonly maxTimeMs?: number;
  /** Usage of attempts, reflections and long-term memory, and its limits. */
  readonly usage: Usage;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly stopRequested: boolean;
}

const STALL_ATTEMPTS = 3;
const IDLE_ATTEMPTS = 2;

/** Why the loop ends after the last attempt; undefined if it continues. Conditions are in order of precedence. */
export function stopReason(progress: Progress): LoopStatus | undefined {
  const last = progress.attempts.at(-1);
  if (last?.accepted === true) return 'passed';
  if (last?.unproven === true) return 'unproven';
  if (progress.stopRequested) return 'aborted';
  if (spentBudget(progress) !== undefined) return 'budget';
  if (progress.attempts.length >= progress.maxIterations) return 'exhausted';
  if (isStalled(progress.attempts)) return 'stalled';
  return undefined;
}

/** One sentence on the budget that is spent; undefined if none is. */
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
    return `--max-cost ${maxCostUsd} cannot be enforced: the actor reported no cost.`;
  return usage.cost_usd >= maxCostUsd
    ? `The budget is spent: $${usage.cost_usd.toFixed(4)} of $${maxCostUsd}.`
    : undefined;
}

/** True for three attempts with the same failures and no gain, or two attempts in a row that changed nothing. */
function isStalled(attempts: readonly Attempt[]): boolean {
  const idle = attempts.slice(-IDLE_ATTEMPTS);
  if (idle.length === IDLE_ATTEMPTS && idle.every(({ changes }) => changes.files.length === 0)) return true;
  const recent = attempts.slice(-STALL_ATTEMPTS);
  if (recent.length < STALL_ATTEMPTS) return false;
  const failures = new Set(recent.map(({ evaluation }) => fingerprintOf(evaluation)));
  return failures.size === 1 && recent.every(({ best }) => !best);
}

/** One string for the set of failures of an evaluation. */
function fingerprintOf(evaluation: Evaluation): string {
  return evaluation.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ fingerprint }) => fingerprint)
    .sort()
    .join(' ');
}
