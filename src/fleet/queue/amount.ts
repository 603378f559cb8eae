import type { Usage } from '../../schema/generated.ts';

/** Money and tokens. What costs an unknown amount counts as free. */
export interface Amount {
  readonly usd: number;
  /** Input and output together. */
  readonly tokens: number;
}

export const NOTHING: Amount = { usd: 0, tokens: 0 };

/** Money and tokens of a usage. */
export function amountOf({ cost_usd: usd, input_tokens: input, output_tokens: output }: Usage): Amount {
  return { usd: usd ?? 0, tokens: input + output };
}

export function sum(a: Amount, b: Amount): Amount {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens };
}

/** The higher money and the higher tokens. */
export function most(a: Amount, b: Amount): Amount {
  return { usd: Math.max(a.usd, b.usd), tokens: Math.max(a.tokens, b.tokens) };
}

/** What `a` has more than `b`; nothing where it has less. */
export function excess(a: Amount, b: Amount): Amount {
  return { usd: Math.max(0, a.usd - b.usd), tokens: Math.max(0, a.tokens - b.tokens) };
}
