import type { Price, Usage } from '../schema/generated.ts';
import { parseModelName } from './model-name.ts';

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
/** Our provider names that the table calls otherwise. */
const TABLE_NAMES: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws',
  'google-vertex': 'google',
  xai: 'x-ai',
};

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
  const { provider, model } = parseModelName(name);
  const { calcPrice } = await import('@pydantic/genai-prices');
  return ({ input, cached, written, output }) =>
    calcPrice(
      { input_tokens: input, output_tokens: output, cache_read_tokens: cached, cache_write_tokens: written },
      model,
      { providerId: TABLE_NAMES[provider] ?? provider },
    )?.total_price ?? null;
}

/** What a call took, as trajectories and verdicts tell it. */
export function usageOf(tokens: CallTokens, price: PriceOf): Usage {
  return {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cached_input_tokens: tokens.cached,
    cost_usd: tokens.input + tokens.output === 0 ? 0 : price(tokens),
  };
}

function ownPrice(price: Price, { input, cached, written, output }: CallTokens): number {
  const plain = Math.max(0, input - cached - written);
  const { cachedInput = price.input, cacheWrite = price.input } = price;
  return (
    (plain * price.input + cached * cachedInput + written * cacheWrite + output * price.output) / MILLION
  );
}
