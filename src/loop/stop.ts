import type { Evaluation, LoopStatus, Usage } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

/** Input of the stop conditions. */
export interface Progress {
  readonly attempts: readonly Attempt[];
  readonly maxIterations: number;
  /** Wall time since the loop was started or resumed, and its limit. */
  readonly elapsedMs: number;
  readonly maxTimeMs?: number;
  /** Time that the evaluation of another attempt needs; absent before the baseline is known. */
  readonly evaluationMs?: number;
  /** Usage of attempts, reflections and long-term memory, and its limits. */
  readonly usage: Usage;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly stopRequested: boolean;
  /** False: a stalled loop goes on. Default true. */
  readonly stopOnStall?: boolean | undefined;
}

const REPEATED_ATTEMPTS = 2;
const IDLE_ATTEMPTS = 2;

/** Why the loop ends after the last attempt; undefined if it continues. Conditions are in order of precedence. */
export function stopReason(progress: Progress): LoopStatus | undefined {
  const last = progress.attempts.at(-1);
  if (last?.accepted === true) return 'passed';
  if (last?.unproven === true) return 'unproven';
  if (progress.stopRequested) return 'aborted';
  if (spentBudget(progress) !== undefined) return 'budget';
  // Once it is known that the held-out checks fail, a further attempt could be made to fit them.
  if (last !== undefined && failedHoldout(last.evaluation)) return 'stalled';
  if (progress.attempts.length >= progress.maxIterations) return 'exhausted';
  if (progress.stopOnStall !== false && isStalled(progress.attempts)) return 'stalled';
  return undefined;
}

/** The name and the rule of the failure that the held-out checks leave. */
const HOLDOUT = 'holdout';

/** Whether the held-out checks ran on an attempt and failed; a check of the user's that has this name does not count. */
export function failedHoldout({ diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ check, rule }) => check === HOLDOUT && rule === HOLDOUT);
}

/** One sentence on the budget that is spent; undefined if none is. */
export function spentBudget(
  progress: Omit<Progress, 'stopRequested' | 'maxIterations' | 'stopOnStall'>,
): string | undefined {
  const { attempts, elapsedMs, maxTimeMs, evaluationMs = 0, maxCostUsd, maxTokens, usage } = progress;
  const last = attempts.at(-1)?.trajectory;
  if (last?.outcome === 'out_of_budget') return last.message;
  if (maxTimeMs !== undefined && elapsedMs >= maxTimeMs) return 'The time budget is spent.';
  // The first attempt is made in any case.
  if (maxTimeMs !== undefined && last !== undefined && elapsedMs + evaluationMs > maxTimeMs)
    return 'The time budget is spent: too little is left to evaluate another attempt.';
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

/** True for two attempts in a row that changed nothing, or two since the last gain that repeated an earlier state. */
function isStalled(attempts: readonly Attempt[]): boolean {
  const idle = attempts.slice(-IDLE_ATTEMPTS);
  if (idle.length === IDLE_ATTEMPTS && idle.every(({ changes }) => changes.files.length === 0)) return true;
  return repeatedAttempts(attempts).length >= REPEATED_ATTEMPTS;
}

/** An attempt that ended in a tree or a set of failures of an earlier attempt; both 1-based. */
export interface Repetition {
  readonly iteration: number;
  readonly of: number;
}

/**
 * The attempts since the last gain that ended in the tree of an earlier one, or in a set of failures of an earlier one since
 * then, oldest first. An attempt that changed nothing does not return to the tree that it began with.
 */
export function repeatedAttempts(attempts: readonly Attempt[]): Repetition[] {
  const gain = attempts.findLastIndex(({ best }) => best) + 1;
  const firstWith = new Map<string, number>();
  for (const { iteration, tree } of attempts.slice(0, gain).reverse())
    firstWith.set(`tree ${tree}`, iteration);
  return attempts.slice(gain).flatMap(({ iteration, tree, evaluation, changes }) => {
    const isIdle = changes.files.length === 0 && (firstWith.get(`tree ${tree}`) ?? gain + 1) <= gain;
    const ends = [...(isIdle ? [] : [`tree ${tree}`]), `failures ${fingerprintOf(evaluation)}`];
    const former = ends.map((end) => firstWith.get(end)).filter((first) => first !== undefined);
    for (const end of ends) if (!firstWith.has(end)) firstWith.set(end, iteration);
    return former.length === 0 ? [] : [{ iteration, of: Math.min(...former) }];
  });
}

const fingerprints = new WeakMap<Evaluation, string>();

/** One string for the set of failures of an evaluation. */
function fingerprintOf(evaluation: Evaluation): string {
  const known = fingerprints.get(evaluation);
  if (known !== undefined) return known;
  const text = evaluation.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ fingerprint }) => fingerprint)
    .sort()
    .join(' ');
  fingerprints.set(evaluation, text);
  return text;
}
