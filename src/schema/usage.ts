import type { Usage } from './generated.ts';

/** Usage of work without a model call. */
export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost_usd: 0,
});

/** Zero for an empty list; `cost_usd` is null if any cost is unknown. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, NO_USAGE);
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
  };
}

/** A higher count of tokens of one call, or of one attempt of an agent, is implausible: it counts as missing. */
export const MOST_TOKENS = 1e9;
