import { describe, expect, it } from 'vitest';
import { createPurse } from '../../../src/compose/tasks/purse.ts';

const used = (cost: number | null, tokens = 0) => ({
  input_tokens: tokens,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost_usd: cost,
});
const NONE = { maxCostUsd: undefined, maxTokens: undefined, maxTimeMs: undefined };

describe('the budgets of a list', () => {
  it('give each loop what is left', () => {
    const purse = createPurse({ ...NONE, maxCostUsd: 2, maxTokens: 1000 }, { places: 1, now: () => 0 });
    const first = purse.take()!;
    expect(first.budgets).toEqual({ maxCostUsd: 2, maxTokens: 1000, maxTimeMs: undefined });
    first.giveBack(used(0.5, 400));
    const second = purse.take()!;
    expect(second.budgets).toEqual({ maxCostUsd: 1.5, maxTokens: 600, maxTimeMs: undefined });
    second.giveBack(used(1.5, 0));
    expect(purse.take()).toBeUndefined();
  });

  it('are never more together than the whole, however many loops run', () => {
    const purse = createPurse({ ...NONE, maxCostUsd: 3 }, { places: 3, now: () => 0 });
    const taken = [purse.take()!, purse.take()!, purse.take()!];
    expect(taken.map(({ budgets }) => budgets.maxCostUsd)).toEqual([1, 1, 1]);
    taken[0]!.giveBack(used(0.25));
    expect(purse.take()!.budgets.maxCostUsd).toBeCloseTo(0.75);
  });

  it('pass with the time for all', () => {
    let now = 1000;
    const purse = createPurse({ ...NONE, maxTimeMs: 500 }, { places: 2, now: () => now });
    expect(purse.take()!.budgets.maxTimeMs).toBe(500);
    now = 1200;
    expect(purse.take()!.budgets.maxTimeMs).toBe(300);
    now = 1500;
    expect(purse.take()).toBeUndefined();
  });

  it('are none where none is set', () => {
    const purse = createPurse(NONE, { places: 1, now: () => 0 });
    expect(purse.take()!.budgets).toEqual(NONE);
  });
});
