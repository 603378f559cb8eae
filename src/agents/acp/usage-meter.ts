import type { Price, Usage } from '../../schema/generated.ts';
import { MOST_TOKENS, NO_USAGE } from '../../schema/usage.ts';
import { fieldsOf } from './tool-call.ts';

/** The tokens of one report; `input` includes cached tokens. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** Adds up the usage that an agent reports. */
export interface UsageMeter {
  /** Adds the tokens of one model call; ignored if a total is set. */
  addCall(tokens: Tokens): void;
  /** Sets the tokens of the whole attempt. */
  setTotal(tokens: Tokens): void;
  /** Sets the cost of the whole attempt in USD. */
  setCost(usd: number): void;
  /** Adds the cost of one model call in USD; ignored if a total is set. */
  addCost(usd: number): void;
  /**
   * The usage so far; zero if nothing was reported. A reported cost of zero for some tokens is not believed: agents report it
   * for models whose price they do not know. `price` applies then, and if no cost was reported; without it, the cost is null.
   * `hasWorked`: whether the agent used its model; if it reported no tokens then, or none that can be, its cost is not zero.
   */
  usage(price?: Price, hasWorked?: boolean): Usage;
}

/** Tokens to which a price refers. */
const PER_PRICE = 1_000_000;

/** A report of nothing. */
export const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

/** Creates a meter without any usage. */
export function createUsageMeter(): UsageMeter {
  let calls = NO_TOKENS;
  let total: Tokens | undefined;
  let cost: number | undefined;
  let costOfCalls: number | undefined;
  return {
    addCall: (tokens) => void (calls = addTokens(calls, tokens)),
    setTotal: (tokens) => void (total = tokens),
    setCost: (usd) => void (cost = usd),
    addCost: (usd) => void (costOfCalls = (costOfCalls ?? 0) + usd),
    usage(price, hasWorked = false) {
      const { input, output, cached } = total ?? calls;
      const isUsed = input > 0 || output > 0;
      const reported = cost ?? costOfCalls;
      const known = reported === 0 && (isUsed || hasWorked) ? undefined : reported;
      if (!isUsed && known === undefined) return hasWorked ? { ...NO_USAGE, cost_usd: null } : NO_USAGE;
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
 * Reads tokens under the names of the protocol and of common adapters. Whether `input` includes cached tokens is
 * decided by the total: if the parts add up to it, or there is none, cached tokens are counted separately.
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
  const isSeparate = total === undefined || total >= parts;
  return {
    input: (input ?? 0) + (isSeparate ? cached + written : 0),
    output: output ?? 0,
    cached,
  };
}

/** The first of the named fields that holds a plausible count, rounded. */
export function countOf(value: unknown, ...names: readonly string[]): number | undefined {
  const fields = fieldsOf(value);
  const isCount = (count: unknown): count is number =>
    typeof count === 'number' && count >= 0 && count <= MOST_TOKENS;
  const found = names.map((name) => fields[name]).find(isCount);
  return found === undefined ? undefined : Math.round(found);
}

/** A higher cost of one attempt is implausible. */
const MOST_USD = 1e6;

/** A plausible amount of money, not rounded; undefined for any other value. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MOST_USD ? value : undefined;
}

/** The sum of two reports. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}

function costOf({ input, output, cached }: Tokens, price: Price): number {
  const fresh = (input - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (fresh + output * price.output) / PER_PRICE;
}
