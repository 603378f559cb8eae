import { describe, expect, it } from 'vitest';
import { Ledger, type Budget, type CallPlan, type Permission } from '../../../src/agents/llm/ledger.ts';
import { priceOf, type PriceOf } from '../../../src/agents/llm/prices.ts';
import type { Usage } from '../../../src/schema/generated.ts';

const CHARS_PER_TOKEN = 3;
/** USD per million tokens: 1 for input, 2 for input written to the cache, 10 for output. */
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
  it('permits every call, with a known price or without', () => {
    const permission = { allowed: true, maxOutputTokens: 1000, inputTokens: 1000 };
    expect(permit({})).toEqual(permission);
    expect(permit({}, { price: UNKNOWN }, usage(1e9, 1e9, null))).toEqual(permission);
  });
});

describe('a token budget', () => {
  it.each([
    ['the whole answer', 2000, 1000],
    ['a shorter answer', 1700, 700],
    ['the shortest answer', 1256, 256],
  ])('permits %s', (_name, maxTokens, maxOutputTokens) => {
    expect(permit({ maxTokens })).toMatchObject({ allowed: true, maxOutputTokens });
  });

  it('refuses a call if one token is missing for the shortest answer, with the numbers', () => {
    expect(permit({ maxTokens: 1255 + 500 }, {}, usage(400, 100))).toEqual({
      allowed: false,
      reason:
        'The token budget is 1755 (--max-tokens), 500 are used, and the next call needs about 1000 for its input.',
    });
  });

  it('permits a shorter answer if no longer one is planned', () => {
    expect(permit({ maxTokens: 1100 }, { maxOutputTokens: 100 })).toMatchObject({ maxOutputTokens: 100 });
    expect(permit({ maxTokens: 1099 }, { maxOutputTokens: 100 })).toMatchObject({ allowed: false });
  });

  it('counts input and output tokens', () => {
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
    ['the whole answer', 0.012, 1000],
    ['half of the answer', 0.007, 500],
    ['the shortest answer', 0.004565, 256],
  ])('permits %s', (_name, maxCostUsd, maxOutputTokens) => {
    expect(permit({ maxCostUsd })).toMatchObject({ allowed: true, maxOutputTokens });
  });

  it('never permits more output than planned', () => {
    expect(permit({ maxCostUsd: 100 })).toMatchObject({ maxOutputTokens: 1000 });
  });

  it('assumes the price of a cache write for the input', () => {
    expect(permit({ maxCostUsd: 0.00455 })).toMatchObject({ allowed: false });
  });

  it('refuses a call that could exceed it, with the amounts', () => {
    expect(permit({ maxCostUsd: 0.5 }, {}, usage(1, 1, 0.499))).toEqual({
      allowed: false,
      reason: 'The budget is $0.5 (--max-cost), $0.4990 is spent, and the next call could exceed it.',
    });
  });

  it('refuses a call with an unknown price', () => {
    expect(permit({ maxCostUsd: 100 }, { price: UNKNOWN })).toMatchObject({ allowed: false });
  });

  it('refuses a call if the cost so far is unknown', () => {
    const permission = permit({ maxCostUsd: 100 }, {}, usage(1, 1, null));
    expect(permission).toMatchObject({ allowed: false });
    expect(permission).toHaveProperty('reason', expect.stringContaining('the cost so far is unknown'));
  });

  it('permits free calls unless it is already exceeded', () => {
    const price: PriceOf = () => 0;
    expect(permit({ maxCostUsd: 0 }, { price })).toMatchObject({ allowed: true, maxOutputTokens: 1000 });
    expect(permit({ maxCostUsd: 0 }, { price }, usage(1, 1, 0.01))).toMatchObject({ allowed: false });
  });

  it('uses the price tier of the input length', async () => {
    const price = await priceOf('anthropic/claude-sonnet-4-5', {}, false);
    const plan = { requestChars: 300_000 * CHARS_PER_TOKEN, price };
    // 300,000 tokens written at $7.50 a million, and 256 out at $22.50.
    expect(permit({ maxCostUsd: 2.25 + 0.00577 }, plan)).toMatchObject({
      allowed: true,
      maxOutputTokens: 256,
    });
    expect(permit({ maxCostUsd: 2.25 + 0.0057 }, plan)).toMatchObject({ allowed: false });
  });

  it('applies together with a token budget', () => {
    expect(permit({ maxCostUsd: 0.007, maxTokens: 1400 })).toMatchObject({ maxOutputTokens: 400 });
    expect(permit({ maxCostUsd: 0.006, maxTokens: 1900 })).toMatchObject({ maxOutputTokens: 400 });
  });
});

describe('the estimate of characters per token', () => {
  it.each([
    ['decreases after a call with shorter tokens', 200, 400, 2],
    ['does not increase after a call with longer tokens', 200, 2000, CHARS_PER_TOKEN],
    ['ignores a short call', 100, 100, CHARS_PER_TOKEN],
    ['ignores a call of unknown length', 200, 0, CHARS_PER_TOKEN],
  ])('%s', (_name, inputTokens, requestChars, charsPerToken) => {
    const ledger = new Ledger({});
    ledger.add(usage(inputTokens, 1), { requestChars, durationMs: 1 });
    expect(ledger.estimateTokens(6000)).toBe(6000 / charsPerToken);
  });

  it('is rounded up to whole tokens', () => {
    expect(new Ledger({}).estimateTokens(4)).toBe(2);
  });
});

describe('a time budget', () => {
  function after(durationMs: number, leftMs: number | undefined): Permission {
    const ledger = new Ledger({ timeLeftMs: () => leftMs });
    ledger.add(usage(1, 1), { requestChars: 0, durationMs });
    return ledger.permit({ requestChars: 3, maxOutputTokens: 10, price: PRICE });
  }

  it('permits a call if more time is left than the last one took', () => {
    expect(after(2000, 2001)).toMatchObject({ allowed: true });
    expect(after(2000, undefined)).toMatchObject({ allowed: true });
  });

  it('refuses a call if no more time is left than the last one took', () => {
    expect(after(2000, 2000)).toEqual({
      allowed: false,
      reason: 'The time budget (--max-time) has 2.0 s left, and the last model call took 2.0 s.',
    });
  });

  it('refuses the first call only if no time is left', () => {
    expect(permit({ timeLeftMs: () => -5 })).toMatchObject({
      reason: expect.stringContaining('has 0.0 s left') as string,
    });
    expect(permit({ timeLeftMs: () => 1 })).toMatchObject({ allowed: true });
  });
});

describe('calls that run at the same time', () => {
  const PLAN: CallPlan = { requestChars: 3000, maxOutputTokens: 1000, price: PRICE };
  const held = (ledger: Ledger) => ledger.hold(PLAN, undefined);

  it('share a token budget: one waits until the part that another one holds is free', async () => {
    const ledger = new Ledger({ maxTokens: 3000 });
    const first = await held(ledger);
    expect(first.permission).toMatchObject({ allowed: true, maxOutputTokens: 1000 });
    let isDone = false;
    const second = held(ledger).finally(() => (isDone = true));
    await Promise.resolve();
    expect(isDone).toBe(false);
    first.release();
    ledger.add(usage(1000, 100), { requestChars: 3000, durationMs: 1 });
    expect((await second).permission).toMatchObject({ allowed: true, maxOutputTokens: 900 });
  });

  it('share a cost budget, and the last one is refused when nothing is held any more', async () => {
    const ledger = new Ledger({ maxCostUsd: 0.013 });
    const first = await held(ledger);
    const second = held(ledger);
    first.release();
    ledger.add(usage(1000, 1000, 0.012), { requestChars: 3000, durationMs: 1 });
    expect((await second).permission).toMatchObject({ allowed: false });
  });

  it('end their wait when they are aborted', async () => {
    const ledger = new Ledger({ maxTokens: 2000 });
    const first = await held(ledger);
    const controller = new AbortController();
    const second = ledger.hold(PLAN, controller.signal);
    controller.abort(new Error('stopped'));
    first.release();
    await expect(second).rejects.toThrow('stopped');
  });
});
