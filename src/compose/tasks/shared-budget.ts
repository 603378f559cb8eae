import type { Settings } from '../../config/settings.ts';
import type { Usage } from '../../schema/generated.ts';

type Budgets = Pick<Settings, 'maxCostUsd' | 'maxTokens' | 'maxTimeMs'>;

/** The budgets of a list of tasks, shared by its loops. */
export interface SharedBudget {
  /** Reserves budgets for the next loop; undefined if one of the budgets is spent. */
  reserve(): Reservation | undefined;
}

/** The budgets of one loop. */
export interface Reservation {
  readonly budgets: Budgets;
  /** Returns what the loop did not use. To be called once, when the loop has ended. */
  release(usage: Usage): void;
}

/**
 * Budgets hold for the whole list: each loop reserves an equal share of the cost and tokens that are left, so that loops
 * running at the same time cannot exceed the total. Time is not divided. `slots` is the number of loops that may run at
 * the same time; `now` returns milliseconds.
 */
export function createSharedBudget(
  { maxCostUsd, maxTokens, maxTimeMs }: Budgets,
  { slots, now }: { readonly slots: number; readonly now: () => number },
): SharedBudget {
  const started = now();
  let [cost, tokens] = [maxCostUsd, maxTokens];
  let free = slots;
  return {
    reserve() {
      const timeMs = maxTimeMs === undefined ? undefined : maxTimeMs - (now() - started);
      const own = { cost: shareOf(cost, free), tokens: floor(shareOf(tokens, free)), timeMs };
      if (Object.values(own).some((left) => left !== undefined && left <= 0)) return undefined;
      [cost, tokens] = [subtract(cost, own.cost), subtract(tokens, own.tokens)];
      free--;
      return {
        budgets: { maxCostUsd: own.cost, maxTokens: own.tokens, maxTimeMs: floor(own.timeMs) },
        release(usage) {
          cost = subtract(cost, (usage.cost_usd ?? 0) - (own.cost ?? 0));
          tokens = subtract(tokens, usage.input_tokens + usage.output_tokens - (own.tokens ?? 0));
          free++;
        },
      };
    },
  };
}

function shareOf(amount: number | undefined, count: number): number | undefined {
  return amount === undefined ? undefined : amount / Math.max(1, count);
}

function subtract(amount: number | undefined, used: number | undefined): number | undefined {
  return amount === undefined ? undefined : amount - (used ?? 0);
}

function floor(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : Math.floor(amount);
}
