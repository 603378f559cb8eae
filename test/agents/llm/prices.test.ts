import { describe, expect, it } from 'vitest';
import { priceOf, usageOf, type CallTokens } from '../../../src/agents/llm/prices.ts';

const NONE: CallTokens = { input: 0, cached: 0, written: 0, output: 0 };
const MILLION = 1_000_000;

async function costOf(name: string, tokens: Partial<CallTokens>): Promise<number | null> {
  return (await priceOf(name, {}, false))({ ...NONE, ...tokens });
}

describe("the user's own price", () => {
  const tokens = { input: 10 * MILLION, cached: 4 * MILLION, written: 5 * MILLION, output: 2 * MILLION };

  it.each([
    ['applies to all input if it has no cache prices', { input: 2, output: 3 }, 10 * 2 + 2 * 3],
    ['has a separate price for cache reads', { input: 2, output: 3, cachedInput: 0.5 }, 12 + 2 + 6],
    ['has a separate price for cache writes', { input: 2, output: 3, cacheWrite: 4 }, 10 + 20 + 6],
    ['has both cache prices', { input: 2, output: 3, cachedInput: 0, cacheWrite: 4 }, 2 + 0 + 20 + 6],
    ['may be zero', { input: 0, output: 0 }, 0],
  ])('%s', async (_name, price, cost) => {
    expect((await priceOf('acme/a', { 'acme/a': price }, true))(tokens)).toBeCloseTo(cost, 10);
  });

  it('overrides the table', async () => {
    const price = await priceOf('openai/gpt-5', { 'openai/gpt-5': { input: 7, output: 0 } }, false);
    expect(price({ ...NONE, input: MILLION })).toBe(7);
  });

  it('applies only to exactly the same name', async () => {
    const price = await priceOf(
      'acme/a',
      { 'acme/ab': { input: 7, output: 7 }, a: { input: 7, output: 7 } },
      false,
    );
    expect(price({ ...NONE, input: 1 })).toBeNull();
  });
});

describe('a model at an address set by the user', () => {
  it('has no price from the table', async () => {
    expect((await priceOf('openai/gpt-5', {}, true))({ ...NONE, input: 1, output: 1 })).toBeNull();
  });

  it('has the price set by the user', async () => {
    const price = await priceOf('openai/gpt-5', { 'openai/gpt-5': { input: 1, output: 1 } }, true);
    expect(price({ ...NONE, output: MILLION })).toBe(1);
  });
});

describe('the bundled table', () => {
  it.each<[string, number, number]>([
    ['anthropic/claude-sonnet-4-5', 3, 15],
    ['anthropic/claude-opus-4-1', 15, 75],
    ['anthropic/claude-haiku-4-5', 1, 5],
    ['openai/gpt-5', 1.25, 10],
    ['openai/gpt-4o', 2.5, 10],
    ['google/gemini-2.5-pro', 1.25, 10],
    ['google/gemini-2.5-flash', 0.3, 2.5],
    ['xai/grok-4', 3, 15],
  ])('has %s at $%d for input and $%d for output', async (name, input, output) => {
    expect(await costOf(name, { input: 100_000 })).toBeCloseTo(input / 10, 10);
    expect(await costOf(name, { output: 100_000 })).toBeCloseTo(output / 10, 10);
  });

  it.each<[string, number, number]>([
    ['anthropic/claude-sonnet-4-5', 0.3, 3.75],
    ['openai/gpt-5', 0.125, 1.25],
    ['google/gemini-2.5-flash', 0.03, 0.3],
  ])('has %s at $%d for cache reads and $%d for cache writes', async (name, cached, written) => {
    expect(await costOf(name, { input: 100_000, cached: 100_000 })).toBeCloseTo(cached / 10, 10);
    expect(await costOf(name, { input: 100_000, written: 100_000 })).toBeCloseTo(written / 10, 10);
  });

  it.each([
    ['anthropic/claude-sonnet-4-5', 200_000, 0.6, 200_001, 1.200006],
    ['google/gemini-2.5-pro', 200_000, 0.25, 200_001, 0.5000025],
  ])('has a higher price for long prompts of %s', async (name, short, shortCost, long, longCost) => {
    expect(await costOf(name, { input: short })).toBeCloseTo(shortCost, 9);
    expect(await costOf(name, { input: long })).toBeCloseTo(longCost, 9);
  });
});

describe('usageOf', () => {
  const price = ({ input, cached, written, output }: CallTokens): number =>
    input + 1000 * cached + 1_000_000 * written + 0.5 * output;

  it('returns tokens and cost', () => {
    expect(usageOf({ input: 10, cached: 4, written: 3, output: 2 }, price)).toEqual({
      input_tokens: 10,
      output_tokens: 2,
      cached_input_tokens: 4,
      cost_usd: 3_004_011,
    });
  });

  it('has the cost 0 without tokens, and null with an unknown price', () => {
    expect(usageOf(NONE, () => null).cost_usd).toBe(0);
    expect(usageOf({ ...NONE, output: 1 }, () => null).cost_usd).toBeNull();
  });

  it.each<[string, Partial<CallTokens>, Partial<CallTokens>]>([
    ['negative counts', { input: -5, output: -1 }, {}],
    ['counts that are not finite', { input: NaN, output: Infinity }, {}],
    ['more cache reads than input', { input: 10, cached: 99 }, { input: 10, cached: 10 }],
    [
      'more cache writes than input',
      { input: 10, cached: 4, written: 99 },
      { input: 10, cached: 4, written: 6 },
    ],
    ['a fraction of a token', { input: 1.5 }, { input: 2 }],
  ])('corrects %s', (_name, reported, corrected) => {
    expect(usageOf({ ...NONE, ...reported }, price)).toEqual(usageOf({ ...NONE, ...corrected }, price));
  });

  it('has a table price although a server reports impossible counts', async () => {
    const table = await priceOf('anthropic/claude-sonnet-4-5', {}, false);
    expect(usageOf({ input: 100_000, cached: 200_000, written: 5, output: 0 }, table).cost_usd).toBeCloseTo(
      0.03,
      10,
    );
  });
});
