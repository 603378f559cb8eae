import type { Price, Usage } from '../../schema/generated.ts';
import { tablePrice } from './price-table.ts';

/** Tokens of one call; `cached` and `written` are included in `input`. */
export interface CallTokens {
  readonly input: number;
  /** Read from the provider's cache. */
  readonly cached: number;
  /** Written to the provider's cache. */
  readonly written: number;
  readonly output: number;
}

/** The cost of one call in USD; null if the price is unknown. */
export type PriceOf = (tokens: CallTokens) => number | null;

const MILLION = 1_000_000;

/**
 * The price of a model: the user's setting for `provider/model`, else the bundled table. For a model at an address of
 * the user's own, only the user's setting counts.
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

/** The usage of a call as stored in trajectories and verdicts; impossible token counts are corrected. */
export function usageOf(reported: CallTokens, price: PriceOf): Usage {
  const tokens = validTokens(reported);
  return {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cached_input_tokens: tokens.cached,
    cost_usd: tokens.input + tokens.output === 0 ? 0 : price(tokens),
  };
}

/** Some servers report negative or contradictory counts, which would increase the budget or break the price. */
function validTokens(tokens: CallTokens): CallTokens {
  const input = validCount(tokens.input);
  const cached = Math.min(validCount(tokens.cached), input);
  const written = Math.min(validCount(tokens.written), input - cached);
  return { input, cached, written, output: validCount(tokens.output) };
}

function validCount(count: number): number {
  return Number.isFinite(count) ? Math.max(0, Math.ceil(count)) : 0;
}

function ownPrice(price: Price, { input, cached, written, output }: CallTokens): number {
  const plain = Math.max(0, input - cached - written);
  const { cachedInput = price.input, cacheWrite = price.input } = price;
  return (
    (plain * price.input + cached * cachedInput + written * cacheWrite + output * price.output) / MILLION
  );
}
