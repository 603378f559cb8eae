import type { Settings } from '../../config/settings.ts';
import type { Usage } from '../../schema/generated.ts';

type Budgets = Pick<Settings, 'maxCostUsd' | 'maxTokens' | 'maxTimeMs'>;

/** What is left of the budgets of a whole list of tasks. */
export interface Purse {
  /** The budgets of the next loop, with as many loops beside it as there are; undefined where one is spent. */
  take(): Taken | undefined;
}

export interface Taken {
  readonly budgets: Budgets;
  /** The loop has ended: what it did not use is there for the next. */
  giveBack(usage: Usage): void;
}

/**
 * Budgets hold for the list: each loop gets its share of what is left, so that loops at the same time cannot spend
 * more together either. Time passes for all of them alike. `places` is how many loops may run at once.
 */
export function createPurse(
  { maxCostUsd, maxTokens, maxTimeMs }: Budgets,
  { places, now }: { readonly places: number; readonly now: () => number },
): Purse {
  const started = now();
  let [cost, tokens] = [maxCostUsd, maxTokens];
  let free = places;
  return {
    take() {
      const timeMs = maxTimeMs === undefined ? undefined : maxTimeMs - (now() - started);
      const mine = { cost: shareOf(cost, free), tokens: floor(shareOf(tokens, free)), timeMs };
      if (Object.values(mine).some((left) => left !== undefined && left <= 0)) return undefined;
      [cost, tokens] = [less(cost, mine.cost), less(tokens, mine.tokens)];
      free--;
      return {
        budgets: { maxCostUsd: mine.cost, maxTokens: mine.tokens, maxTimeMs: floor(mine.timeMs) },
        giveBack(usage) {
          cost = less(cost, (usage.cost_usd ?? 0) - (mine.cost ?? 0));
          tokens = less(tokens, usage.input_tokens + usage.output_tokens - (mine.tokens ?? 0));
          free++;
        },
      };
    },
  };
}

function shareOf(amount: number | undefined, among: number): number | undefined {
  return amount === undefined ? undefined : amount / Math.max(1, among);
}

function less(amount: number | undefined, taken: number | undefined): number | undefined {
  return amount === undefined ? undefined : amount - (taken ?? 0);
}

function floor(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : Math.floor(amount);
}
