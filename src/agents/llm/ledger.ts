import type { Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import type { PriceOf } from './prices.ts';

/** The limits of one loop's spending on models; an absent one is unlimited. */
export interface Budget {
  readonly maxCostUsd?: number | undefined;
  /** Input and output tokens together. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds left of the loop's time budget; undefined if it has none. */
  readonly timeLeftMs?: () => number | undefined;
}

export interface CallPlan {
  /** Characters of the request, tools included. */
  readonly requestChars: number;
  readonly maxOutputTokens: number;
  readonly price: PriceOf;
}

/** `maxOutputTokens`: the planned number, lowered to the budget. `inputTokens`: the estimate. */
export type Permission =
  | { readonly allowed: true; readonly maxOutputTokens: number; readonly inputTokens: number }
  | { readonly allowed: false; readonly reason: string };

/** A call that is permitted or not; `most` is what it may take, by its estimate. */
interface Held {
  readonly permission: Permission;
  readonly most: Usage;
  readonly release: () => void;
}

/** A call with a lower output limit is not worth making. */
const MIN_OUTPUT_TOKENS = 256;
/** The estimate before the first reply; code has 3 to 4. */
const CHARS_PER_TOKEN = 3;

/** Adds up the usage of a loop's model calls and decides whether the next call fits the budget. */
export class Ledger {
  readonly #budget: Budget;
  #spent: Usage = NO_USAGE;
  #charsPerToken = CHARS_PER_TOKEN;
  #lastCallMs = 0;
  /** The most that the running calls may take. */
  readonly #held = new Set<Usage>();
  #waiting: (() => void)[] = [];

  /** `spent`: the usage of a resumed loop's earlier attempts. */
  constructor(budget: Budget, spent: Usage = NO_USAGE) {
    this.#budget = budget;
    this.#spent = spent;
  }

  get spent(): Usage {
    return this.#spent;
  }

  /** Adds the usage of a call, failed or not; `requestChars` adjusts the estimate of characters per token. */
  add(usage: Usage, call: { readonly requestChars: number; readonly durationMs: number }): void {
    this.#spent = sumUsage([this.#spent, usage]);
    this.#lastCallMs = call.durationMs;
    if (usage.input_tokens > 100 && call.requestChars > 0) {
      this.#charsPerToken = Math.min(CHARS_PER_TOKEN, call.requestChars / usage.input_tokens);
    }
  }

  /** The estimated tokens of a text; an overestimate rather than an underestimate. */
  estimateTokens(chars: number): number {
    return Math.ceil(chars / this.#charsPerToken);
  }

  /** Call before every model call. */
  permit(plan: CallPlan): Permission {
    const inputTokens = this.estimateTokens(plan.requestChars);
    const timeReason = this.#timeReason();
    if (timeReason !== undefined) return { allowed: false, reason: timeReason };
    const limits = [
      { left: this.#outputTokensLeft(inputTokens), reason: this.#tokenReason(inputTokens) },
      { left: this.#outputTokensAffordable(inputTokens, plan), reason: this.#costReason() },
    ];
    const least = Math.min(MIN_OUTPUT_TOKENS, plan.maxOutputTokens);
    const exceeded = limits.find(({ left }) => left < least);
    if (exceeded !== undefined) return { allowed: false, reason: exceeded.reason };
    const maxOutputTokens = Math.min(plan.maxOutputTokens, ...limits.map(({ left }) => Math.floor(left)));
    return { allowed: true, maxOutputTokens, inputTokens };
  }

  /**
   * `permit` for calls that run beside others: each holds the most that it may take until `release` is called, once, just before
   * `add`. Waits while only the held part of the budget is missing. Rejects with the signal's reason.
   */
  async hold(plan: CallPlan, signal: AbortSignal | undefined): Promise<Held> {
    for (;;) {
      const permission = this.permit(plan);
      if (!permission.allowed && this.#held.size > 0) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        signal?.throwIfAborted();
        continue;
      }
      if (!permission.allowed) return { permission, most: NO_USAGE, release: () => undefined };
      const held = mostOf(permission, plan);
      this.#held.add(held);
      return { permission, most: held, release: () => this.#release(held) };
    }
  }

  #release(held: Usage): void {
    this.#held.delete(held);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The usage so far, with the shares that running calls have reserved. */
  get #taken(): Usage {
    return this.#held.size === 0 ? this.#spent : sumUsage([this.#spent, ...this.#held]);
  }

  /** The last call's duration is the estimate for the next. */
  #timeReason(): string | undefined {
    const left = this.#budget.timeLeftMs?.();
    if (left === undefined || left > this.#lastCallMs) return undefined;
    return `The time budget (--max-time) has ${Math.max(0, left / 1000).toFixed(1)} s left, and the last model call took ${(this.#lastCallMs / 1000).toFixed(1)} s.`;
  }

  #outputTokensLeft(inputTokens: number): number {
    const { maxTokens } = this.#budget;
    if (maxTokens === undefined) return Infinity;
    const { input_tokens: input, output_tokens: output } = this.#taken;
    return maxTokens - input - output - inputTokens;
  }

  #tokenReason(inputTokens: number): string {
    const used = this.#spent.input_tokens + this.#spent.output_tokens;
    return `The token budget is ${this.#budget.maxTokens} (--max-tokens), ${used} are used, and the next call needs about ${inputTokens} for its input.`;
  }

  /** -1 if a price is unknown. */
  #outputTokensAffordable(inputTokens: number, { price, maxOutputTokens }: CallPlan): number {
    const { maxCostUsd } = this.#budget;
    if (maxCostUsd === undefined) return Infinity;
    const cost = (output: number): number | null =>
      price({ input: inputTokens, cached: 0, written: inputTokens, output });
    const [least, most] = [cost(0), cost(maxOutputTokens)];
    const { cost_usd: taken } = this.#taken;
    if (least === null || most === null || taken === null) return -1;
    const left = maxCostUsd - taken - least;
    return most === least && left >= 0 ? Infinity : (left / (most - least)) * maxOutputTokens;
  }

  #costReason(): string {
    const spent = this.#spent.cost_usd;
    const known = spent === null ? 'the cost so far is unknown' : `$${spent.toFixed(4)} is spent`;
    // The rest of a shared budget is a sum of floating-point numbers, such as 0.09999999999999998.
    const budget = Number(this.#budget.maxCostUsd?.toFixed(6));
    return `The budget is $${budget} (--max-cost), ${known}, and the next call could exceed it.`;
  }
}

/** The most that a permitted call takes, by its estimate. */
function mostOf(
  { inputTokens, maxOutputTokens }: { readonly inputTokens: number; readonly maxOutputTokens: number },
  { price }: CallPlan,
): Usage {
  return {
    input_tokens: inputTokens,
    output_tokens: maxOutputTokens,
    cached_input_tokens: 0,
    cost_usd: price({ input: inputTokens, cached: 0, written: inputTokens, output: maxOutputTokens }),
  };
}
