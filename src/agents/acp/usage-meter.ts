import type { Price, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { fieldsOf } from './tool-call.ts';

/** Tokens of one report. `input` holds everything that was read, from a cache or not. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** Adds up what an agent reports of its use, wherever it reports it. */
export interface UsageMeter {
  /** Tokens of one model call; ignored once totals are known. */
  addCall(tokens: Tokens): void;
  /** Tokens of the whole attempt. */
  setTotal(tokens: Tokens): void;
  /** USD of the whole attempt. */
  setCost(usd: number): void;
  /** USD of one model call; ignored once a total is known. */
  addCost(usd: number): void;
  /**
   * Nothing where nothing was reported. The cost is null where there are tokens without a price; `price` counts where
   * the agent tells no cost, or none at all because it knows no price.
   */
  usage(price?: Price): Usage;
}

const PER_PRICE = 1_000_000;

export function createUsageMeter(): UsageMeter {
  const none: Tokens = { input: 0, output: 0, cached: 0 };
  let calls = none;
  let total: Tokens | undefined;
  let cost: number | undefined;
  let costOfCalls: number | undefined;
  return {
    addCall: (tokens) => void (calls = sum(calls, tokens)),
    setTotal: (tokens) => void (total = tokens),
    setCost: (usd) => void (cost = usd),
    addCost: (usd) => void (costOfCalls = (costOfCalls ?? 0) + usd),
    usage(price) {
      const { input, output, cached } = total ?? calls;
      const isUsed = input > 0 || output > 0;
      const told = cost ?? costOfCalls;
      const known = told === 0 && isUsed && price !== undefined ? undefined : told;
      if (!isUsed && known === undefined) return NO_USAGE;
      return {
        input_tokens: input,
        output_tokens: output,
        cached_input_tokens: cached,
        cost_usd: known ?? (price === undefined ? null : costOf({ input, output, cached }, price)),
      };
    },
  };
}

/**
 * Tokens as the protocol reports them, and adapters that take its names: with a total, whether input holds what came
 * from the cache is told by whether the parts add up to it; without one, it does not.
 */
export function tokensOf(value: unknown): Tokens | undefined {
  const fields = fieldsOf(value);
  const input = countOf(fields, 'inputTokens', 'input_tokens', 'promptTokens');
  const output = countOf(fields, 'outputTokens', 'output_tokens', 'completionTokens');
  if (input === undefined && output === undefined) return undefined;
  const cached = countOf(fields, 'cachedReadTokens', 'cachedInputTokens', 'cache_read_input_tokens') ?? 0;
  const written = countOf(fields, 'cachedWriteTokens', 'cache_creation_input_tokens') ?? 0;
  const total = countOf(fields, 'totalTokens');
  const parts = (input ?? 0) + (output ?? 0) + cached + written;
  const isApart = total === undefined || total >= parts;
  return {
    input: (input ?? 0) + (isApart ? cached + written : 0),
    output: output ?? 0,
    cached,
  };
}

/** The first of these fields that holds a count. */
export function countOf(value: unknown, ...names: readonly string[]): number | undefined {
  const fields = fieldsOf(value);
  const found = names.map((name) => fields[name]).find((count) => typeof count === 'number' && count >= 0);
  return typeof found === 'number' && Number.isFinite(found) ? Math.round(found) : undefined;
}

/** An amount of money, not rounded. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sum(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}

function costOf({ input, output, cached }: Tokens, price: Price): number {
  const fresh = (input - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (fresh + output * price.output) / PER_PRICE;
}
