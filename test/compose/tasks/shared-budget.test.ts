import { describe, expect, it } from 'vitest';
import { createSharedBudget } from '../../../src/compose/tasks/shared-budget.ts';

const used = (cost: number | null, tokens = 0) => ({
  input_tokens: tokens,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost_usd: cost,
});
const NONE = { maxCostUsd: undefined, maxTokens: undefined, maxTimeMs: undefined };

describe('createSharedBudget', () => {
  it('reserves everything that is left for the next loop', () => {
    const budget = createSharedBudget(
      { ...NONE, maxCostUsd: 2, maxTokens: 1000 },
      { slots: 1, now: () => 0 },
    );
    const first = budget.reserve()!;
    expect(first.budgets).toEqual({ maxCostUsd: 2, maxTokens: 1000, maxTimeMs: undefined });
    first.release(used(0.5, 400));
    const second = budget.reserve()!;
    expect(second.budgets).toEqual({ maxCostUsd: 1.5, maxTokens: 600, maxTimeMs: undefined });
    second.release(used(1.5, 0));
    expect(budget.reserve()).toBeUndefined();
  });

  it('never reserves more than the total for loops at the same time', () => {
    const budget = createSharedBudget({ ...NONE, maxCostUsd: 3 }, { slots: 3, now: () => 0 });
    const reserved = [budget.reserve()!, budget.reserve()!, budget.reserve()!];
    expect(reserved.map(({ budgets }) => budgets.maxCostUsd)).toEqual([1, 1, 1]);
    reserved[0]!.release(used(0.25));
    expect(budget.reserve()!.budgets.maxCostUsd).toBeCloseTo(0.75);
  });

  it('counts time for all loops alike', () => {
    let now = 1000;
    const budget = createSharedBudget({ ...NONE, maxTimeMs: 500 }, { slots: 2, now: () => now });
    expect(budget.reserve()!.budgets.maxTimeMs).toBe(500);
    now = 1200;
    expect(budget.reserve()!.budgets.maxTimeMs).toBe(300);
    now = 1500;
    expect(budget.reserve()).toBeUndefined();
  });

  it('sets no limit if none is given', () => {
    const budget = createSharedBudget(NONE, { slots: 1, now: () => 0 });
    expect(budget.reserve()!.budgets).toEqual(NONE);
  });
});
