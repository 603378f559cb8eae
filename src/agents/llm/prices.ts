import type { Price, Usage } from '../../schema/generated.ts';
import { tablePrice } from './price-table.ts';

/** Tokens of one call; `cached` and `written` are parts of `input`. */
export interface CallTokens {
  readonly input: number;
  readonly cached: number;
  /** Written to the provider's cache. */
  readonly written: number;
  readonly output: number;
}

/** USD for the tokens of one call, or null where the price is not known. Never guesses. */
export type PriceOf = (tokens: CallTokens) => number | null;

const MILLION = 1_000_000;

/**
 * The price of a model: what the user set for `provider/model` wins, then the shipped table. A model at an address of
 * the user's own has no price but the user's.
 */
export async function priceOf(
  name: string,
  prices: Readonly<Record<string, Price>>,
  ownAddress: boolean,
): Promise<PriceOf> {
  const own = prices[name];
  if (own !== undefined) return (tokens) => ownPrice(own, tokens);
  if (ownAddress) return () => null;
  const price = await tablePrice(name);
  return ({ input, cached, written, output }) =>
    price({
      input_tokens: input,
      output_tokens: output,
      cache_read_tokens: cached,
      cache_write_tokens: written,
    });
}

/** What a call took, as trajectories and verdicts tell it; numbers that cannot be are set right. */
export function usageOf(reported: CallTokens, price: PriceOf): Usage {
  const tokens = saneTokens(reported);
  return {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cached_input_tokens: tokens.cached,
    cost_usd: tokens.input + tokens.output === 0 ? 0 : price(tokens),
  };
}

/** Servers report what they like; a budget is not to grow by it, nor a price to fail. */
function saneTokens(tokens: CallTokens): CallTokens {
  const input = saneCount(tokens.input);
  const cached = Math.min(saneCount(tokens.cached), input);
  const written = Math.min(saneCount(tokens.written), input - cached);
  return { input, cached, written, output: saneCount(tokens.output) };
}

function saneCount(count: number): number {
  return Number.isFinite(count) ? Math.max(0, Math.ceil(count)) : 0;
}

function ownPrice(price: Price, { input, cached, written, output }: CallTokens): number {
  const plain = Math.max(0, input - cached - written);
  const { cachedInput = price.input, cacheWrite = price.input } = price;
  return (
    (plain * price.input + cached * cachedInput + written * cacheWrite + output * price.output) / MILLION
  );
}
