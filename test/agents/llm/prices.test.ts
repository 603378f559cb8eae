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
    ['counts all input alike where it says no more', { input: 2, output: 3 }, 10 * 2 + 2 * 3],
    ['has another for what was read from the cache', { input: 2, output: 3, cachedInput: 0.5 }, 12 + 2 + 6],
    ['has another for what was written to it', { input: 2, output: 3, cacheWrite: 4 }, 10 + 20 + 6],
    ['has both', { input: 2, output: 3, cachedInput: 0, cacheWrite: 4 }, 2 + 0 + 20 + 6],
    ['may be nothing', { input: 0, output: 0 }, 0],
  ])('%s', async (_name, price, cost) => {
    expect((await priceOf('acme/a', { 'acme/a': price }, true))(tokens)).toBeCloseTo(cost, 10);
  });

  it('wins over the table', async () => {
    const price = await priceOf('openai/gpt-5', { 'openai/gpt-5': { input: 7, output: 0 } }, false);
    expect(price({ ...NONE, input: MILLION })).toBe(7);
  });

  it('is that of the very same name', async () => {
    const price = await priceOf(
      'acme/a',
      { 'acme/ab': { input: 7, output: 7 }, a: { input: 7, output: 7 } },
      false,
    );
    expect(price({ ...NONE, input: 1 })).toBeNull();
  });
});

describe('a model at an address of the user', () => {
  it('has no price of the table', async () => {
    expect((await priceOf('openai/gpt-5', {}, true))({ ...NONE, input: 1, output: 1 })).toBeNull();
  });

  it('has the price that the user set', async () => {
    const price = await priceOf('openai/gpt-5', { 'openai/gpt-5': { input: 1, output: 1 } }, true);
    expect(price({ ...NONE, output: MILLION })).toBe(1);
  });
});

describe('the shipped table', () => {
  it.each<[string, number, number]>([
    ['anthropic/claude-sonnet-4-5', 3, 15],
    ['anthropic/claude-opus-4-1', 15, 75],
    ['anthropic/claude-haiku-4-5', 1, 5],
    ['openai/gpt-5', 1.25, 10],
    ['openai/gpt-4o', 2.5, 10],
    ['google/gemini-2.5-pro', 1.25, 10],
    ['google/gemini-2.5-flash', 0.3, 2.5],
    ['xai/grok-4', 3, 15],
  ])('has %s at $%d in and $%d out', async (name, input, output) => {
    expect(await costOf(name, { input: 100_000 })).toBeCloseTo(input / 10, 10);
    expect(await costOf(name, { output: 100_000 })).toBeCloseTo(output / 10, 10);
  });

  it.each<[string, number, number]>([
    ['anthropic/claude-sonnet-4-5', 0.3, 3.75],
    ['openai/gpt-5', 0.125, 1.25],
    ['google/gemini-2.5-flash', 0.03, 0.3],
  ])('has %s at $%d read from the cache and $%d written to it', async (name, cached, written) => {
    expect(await costOf(name, { input: 100_000, cached: 100_000 })).toBeCloseTo(cached / 10, 10);
    expect(await costOf(name, { input: 100_000, written: 100_000 })).toBeCloseTo(written / 10, 10);
  });

  it.each([
    ['anthropic/claude-sonnet-4-5', 200_000, 0.6, 200_001, 1.200006],
    ['google/gemini-2.5-pro', 200_000, 0.25, 200_001, 0.5000025],
  ])('knows that a long prompt of %s costs more', async (name, short, shortCost, long, longCost) => {
    expect(await costOf(name, { input: short })).toBeCloseTo(shortCost, 9);
    expect(await costOf(name, { input: long })).toBeCloseTo(longCost, 9);
  });
});

describe('what a call took', () => {
  const price = ({ input, cached, written, output }: CallTokens): number =>
    input + 1000 * cached + 1_000_000 * written + 0.5 * output;

  it('is told with its cost', () => {
    expect(usageOf({ input: 10, cached: 4, written: 3, output: 2 }, price)).toEqual({
      input_tokens: 10,
      output_tokens: 2,
      cached_input_tokens: 4,
      cost_usd: 3_004_011,
    });
  });

  it('costs nothing where it is nothing, and null where the price is not known', () => {
    expect(usageOf(NONE, () => null).cost_usd).toBe(0);
    expect(usageOf({ ...NONE, output: 1 }, () => null).cost_usd).toBeNull();
  });

  it.each<[string, Partial<CallTokens>, Partial<CallTokens>]>([
    ['less than nothing', { input: -5, output: -1 }, {}],
    ['no number', { input: NaN, output: Infinity }, {}],
    ['more read from the cache than was sent', { input: 10, cached: 99 }, { input: 10, cached: 10 }],
    [
      'more written to it than was sent',
      { input: 10, cached: 4, written: 99 },
      { input: 10, cached: 4, written: 6 },
    ],
    ['a part of a token', { input: 1.5 }, { input: 2 }],
  ])('is set right where a server reports %s', (_name, reported, sane) => {
    expect(usageOf({ ...NONE, ...reported }, price)).toEqual(usageOf({ ...NONE, ...sane }, price));
  });

  it('is priced by the table whatever a server reports', async () => {
    const table = await priceOf('anthropic/claude-sonnet-4-5', {}, false);
    expect(usageOf({ input: 100_000, cached: 200_000, written: 5, output: 0 }, table).cost_usd).toBeCloseTo(
      0.03,
      10,
    );
  });
});
