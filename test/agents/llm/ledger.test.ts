import { describe, expect, it } from 'vitest';
import { Ledger, type Budget, type CallPlan, type Permission } from '../../../src/agents/llm/ledger.ts';
import { priceOf, type PriceOf } from '../../../src/agents/llm/prices.ts';
import type { Usage } from '../../../src/schema/generated.ts';

const CHARS_PER_TOKEN = 3;
/** In: one dollar for a million tokens, two where they are written to a cache. Out: ten. */
const PRICE: PriceOf = ({ input, written, output }) => (input + written + 10 * output) / 1_000_000;
const UNKNOWN: PriceOf = () => null;

function usage(input: number, output: number, cost: number | null = 0): Usage {
  return { input_tokens: input, output_tokens: output, cached_input_tokens: 0, cost_usd: cost };
}

function permit(budget: Budget, plan: Partial<CallPlan> = {}, spent?: Usage): Permission {
  const ledger = spent === undefined ? new Ledger(budget) : new Ledger(budget, spent);
  return ledger.permit({ requestChars: 3000, maxOutputTokens: 1000, price: PRICE, ...plan });
}

describe('a ledger without a budget', () => {
  it('permits all that is asked for, price known or not', () => {
    const permission = { allowed: true, maxOutputTokens: 1000, inputTokens: 1000 };
    expect(permit({})).toEqual(permission);
    expect(permit({}, { price: UNKNOWN }, usage(1e9, 1e9, null))).toEqual(permission);
  });
});

describe('a token budget', () => {
  it.each([
    ['has room for all', 2000, 1000],
    ['has room for a shorter answer', 1700, 700],
    ['has room for the shortest answer', 1256, 256],
  ])('that %s permits it', (_name, maxTokens, maxOutputTokens) => {
    expect(permit({ maxTokens })).toMatchObject({ allowed: true, maxOutputTokens });
  });

  it('that lacks one token of the shortest answer refuses, with the figures', () => {
    expect(permit({ maxTokens: 1255 + 500 }, {}, usage(400, 100))).toEqual({
      allowed: false,
      reason: 'The token budget is 1755, 500 are used, and the next call would send about 1000.',
    });
  });

  it('is content with less than the shortest answer where no more was asked for', () => {
    expect(permit({ maxTokens: 1100 }, { maxOutputTokens: 100 })).toMatchObject({ maxOutputTokens: 100 });
    expect(permit({ maxTokens: 1099 }, { maxOutputTokens: 100 })).toMatchObject({ allowed: false });
  });

  it('counts what calls took, in and out', () => {
    const ledger = new Ledger({ maxTokens: 3000 });
    ledger.add(usage(90, 910), { requestChars: 270, durationMs: 1 });
    expect(ledger.permit({ requestChars: 3000, maxOutputTokens: 5000, price: PRICE })).toMatchObject({
      maxOutputTokens: 1000,
    });
    expect(ledger.spent).toEqual(usage(90, 910));
  });
});

describe('a cost budget', () => {
  // 1,000 tokens in, written to the cache, are $0.002; each token out is $0.00001.
  it.each([
    ['all of the answer', 0.012, 1000],
    ['half of it', 0.007, 500],
    ['the shortest answer', 0.004565, 256],
  ])('that has room for %s permits it', (_name, maxCostUsd, maxOutputTokens) => {
    expect(permit({ maxCostUsd })).toMatchObject({ allowed: true, maxOutputTokens });
  });

  it('never permits more than was asked for', () => {
    expect(permit({ maxCostUsd: 100 })).toMatchObject({ maxOutputTokens: 1000 });
  });

  it('counts the input as written to the cache, which is what it may cost', () => {
    expect(permit({ maxCostUsd: 0.00455 })).toMatchObject({ allowed: false });
  });

  it('that is spent refuses, and says what was spent', () => {
    expect(permit({ maxCostUsd: 0.5 }, {}, usage(1, 1, 0.499))).toEqual({
      allowed: false,
      reason: 'The budget is $0.5, $0.4990 is spent, and the next call could go beyond it.',
    });
  });

  it('refuses where the price is not known', () => {
    expect(permit({ maxCostUsd: 100 }, { price: UNKNOWN })).toMatchObject({ allowed: false });
  });

  it('refuses where it is not known what was spent', () => {
    const permission = permit({ maxCostUsd: 100 }, {}, usage(1, 1, null));
    expect(permission).toMatchObject({ allowed: false });
    expect(permission).toHaveProperty('reason', expect.stringContaining('what is spent is not known'));
  });

  it('permits what costs nothing, until the budget is overdrawn', () => {
    const price: PriceOf = () => 0;
    expect(permit({ maxCostUsd: 0 }, { price })).toMatchObject({ allowed: true, maxOutputTokens: 1000 });
    expect(permit({ maxCostUsd: 0 }, { price }, usage(1, 1, 0.01))).toMatchObject({ allowed: false });
  });

  it('reckons with the tier that the input falls into', async () => {
    const price = await priceOf('anthropic/claude-sonnet-4-5', {}, false);
    const plan = { requestChars: 300_000 * CHARS_PER_TOKEN, price };
    // 300,000 tokens written at $7.50 a million, and 256 out at $22.50.
    expect(permit({ maxCostUsd: 2.25 + 0.00577 }, plan)).toMatchObject({
      allowed: true,
      maxOutputTokens: 256,
    });
    expect(permit({ maxCostUsd: 2.25 + 0.0057 }, plan)).toMatchObject({ allowed: false });
  });

  it('and a token budget both hold', () => {
    expect(permit({ maxCostUsd: 0.007, maxTokens: 1400 })).toMatchObject({ maxOutputTokens: 400 });
    expect(permit({ maxCostUsd: 0.006, maxTokens: 1900 })).toMatchObject({ maxOutputTokens: 400 });
  });
});

describe('the length of a token', () => {
  it.each([
    ['is learnt where it is shorter than thought', 200, 400, 2],
    ['is not believed where it is longer than thought', 200, 2000, CHARS_PER_TOKEN],
    ['is not learnt from a call too short to tell', 100, 100, CHARS_PER_TOKEN],
    ['is not learnt from a call of unknown length', 200, 0, CHARS_PER_TOKEN],
  ])('%s', (_name, inputTokens, requestChars, charsPerToken) => {
    const ledger = new Ledger({});
    ledger.add(usage(inputTokens, 1), { requestChars, durationMs: 1 });
    expect(ledger.estimateTokens(6000)).toBe(6000 / charsPerToken);
  });

  it('is rounded up', () => {
    expect(new Ledger({}).estimateTokens(4)).toBe(2);
  });
});

describe('a time budget', () => {
  function after(durationMs: number, leftMs: number | undefined): Permission {
    const ledger = new Ledger({ timeLeftMs: () => leftMs });
    ledger.add(usage(1, 1), { requestChars: 0, durationMs });
    return ledger.permit({ requestChars: 3, maxOutputTokens: 10, price: PRICE });
  }

  it('permits a call for which there is more time than the last one took', () => {
    expect(after(2000, 2001)).toMatchObject({ allowed: true });
    expect(after(2000, undefined)).toMatchObject({ allowed: true });
  });

  it('refuses a call for which there is no more time than the last one took', () => {
    expect(after(2000, 2000)).toEqual({
      allowed: false,
      reason: 'The time budget has 2.0 s left, and the last model call took 2.0 s.',
    });
  });

  it('refuses the first call where no time is left at all', () => {
    expect(permit({ timeLeftMs: () => -5 })).toMatchObject({
      reason: expect.stringContaining('has 0.0 s left') as string,
    });
    expect(permit({ timeLeftMs: () => 1 })).toMatchObject({ allowed: true });
  });
});
