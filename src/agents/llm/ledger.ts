import type { Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import type { PriceOf } from './prices.ts';

/** What one loop may spend on models; what is absent has no limit. */
export interface Budget {
  readonly maxCostUsd?: number | undefined;
  /** In and out together. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds that are left of the loop's time; undefined where it has none to keep. */
  readonly timeLeftMs?: () => number | undefined;
}

export interface CallPlan {
  /** Characters of the whole request. */
  readonly requestChars: number;
  readonly maxOutputTokens: number;
  readonly price: PriceOf;
}

/** `maxOutputTokens`: as many as the budget allows, never more than was asked for. */
export type Permission =
  | { readonly allowed: true; readonly maxOutputTokens: number; readonly inputTokens: number }
  | { readonly allowed: false; readonly reason: string };

/** An answer shorter than this is of no use to anybody. */
const FEWEST_OUTPUT_TOKENS = 256;
/** Until a reply has told otherwise; code has 3 to 4. */
const CHARS_PER_TOKEN = 3;

/** What a loop's model calls have taken so far, and whether the next one fits into what is left. */
export class Ledger {
  readonly #budget: Budget;
  #spent: Usage = NO_USAGE;
  #charsPerToken = CHARS_PER_TOKEN;
  #lastCallMs = 0;

  /** `spent`: what earlier attempts of a resumed loop took. */
  constructor(budget: Budget, spent: Usage = NO_USAGE) {
    this.#budget = budget;
    this.#spent = spent;
  }

  get spent(): Usage {
    return this.#spent;
  }

  /** Counts what a call took, answered or not; `requestChars` teaches how long a token of this model is. */
  add(usage: Usage, call: { readonly requestChars: number; readonly durationMs: number }): void {
    this.#spent = sumUsage([this.#spent, usage]);
    this.#lastCallMs = call.durationMs;
    if (usage.input_tokens > 100 && call.requestChars > 0) {
      this.#charsPerToken = Math.min(CHARS_PER_TOKEN, call.requestChars / usage.input_tokens);
    }
  }

  /** Tokens that a request will probably take; rather too many than too few. */
  estimateTokens(chars: number): number {
    return Math.ceil(chars / this.#charsPerToken);
  }

  /** Asked before every call. */
  permit(plan: CallPlan): Permission {
    const inputTokens = this.estimateTokens(plan.requestChars);
    const late = this.#outOfTime();
    if (late !== undefined) return { allowed: false, reason: late };
    const rooms = [
      { room: this.#tokenRoom(inputTokens), reason: this.#tokenReason(inputTokens) },
      { room: this.#costRoom(inputTokens, plan), reason: this.#costReason() },
    ];
    const least = Math.min(FEWEST_OUTPUT_TOKENS, plan.maxOutputTokens);
    const short = rooms.find(({ room }) => room < least);
    if (short !== undefined) return { allowed: false, reason: short.reason };
    const maxOutputTokens = Math.min(plan.maxOutputTokens, ...rooms.map(({ room }) => Math.floor(room)));
    return { allowed: true, maxOutputTokens, inputTokens };
  }

  #outOfTime(): string | undefined {
    const left = this.#budget.timeLeftMs?.();
    if (left === undefined || left > this.#lastCallMs) return undefined;
    return `The time budget has ${Math.max(0, left / 1000).toFixed(1)} s left, and the last model call took ${(this.#lastCallMs / 1000).toFixed(1)} s.`;
  }

  #tokenRoom(inputTokens: number): number {
    const { maxTokens } = this.#budget;
    if (maxTokens === undefined) return Infinity;
    return maxTokens - this.#spent.input_tokens - this.#spent.output_tokens - inputTokens;
  }

  #tokenReason(inputTokens: number): string {
    const used = this.#spent.input_tokens + this.#spent.output_tokens;
    return `The token budget is ${this.#budget.maxTokens}, ${used} are used, and the next call would send about ${inputTokens}.`;
  }

  #costRoom(inputTokens: number, { price, maxOutputTokens }: CallPlan): number {
    const { maxCostUsd } = this.#budget;
    if (maxCostUsd === undefined) return Infinity;
    const cost = (output: number): number | null =>
      price({ input: inputTokens, cached: 0, written: inputTokens, output });
    const [silent, full] = [cost(0), cost(maxOutputTokens)];
    if (silent === null || full === null || this.#spent.cost_usd === null) return -1;
    const left = maxCostUsd - this.#spent.cost_usd - silent;
    return full === silent && left >= 0 ? Infinity : (left / (full - silent)) * maxOutputTokens;
  }

  #costReason(): string {
    const spent = this.#spent.cost_usd;
    const known = spent === null ? 'what is spent is not known' : `$${spent.toFixed(4)} is spent`;
    return `The budget is $${this.#budget.maxCostUsd}, ${known}, and the next call could go beyond it.`;
  }
}
