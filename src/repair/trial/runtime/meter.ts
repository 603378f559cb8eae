/** Loaded into the test process: limits of a run. */
import { TimeUp } from './guards.ts';

/** Limits of one run of a test. */
export interface Limits {
  /** For each piece of synchronous code and for each wait. */
  readonly limitMs: number;
  /** Rounds of all loops together. */
  readonly maxRounds: number;
}

export const UNLIMITED: Limits = { limitMs: Infinity, maxRounds: Infinity };

/** Counts the rounds of loops of the current run and ends the run at its limits. */
export class Meter {
  #rounds = 0;
  #deadline = Infinity;
  #maxRounds = Infinity;

  /** Rounds since the last start. */
  get rounds(): number {
    return this.#rounds;
  }

  start({ limitMs, maxRounds }: Limits): void {
    this.#rounds = 0;
    this.#deadline = performance.now() + limitMs;
    this.#maxRounds = maxRounds;
  }

  stop(): void {
    this.#deadline = Infinity;
    this.#maxRounds = Infinity;
  }

  /** Called at the start of each round. Beyond the limits every call throws `TimeUp`, so that catching it does not help. */
  tick(): void {
    const isOver = ++this.#rounds > this.#maxRounds;
    if (isOver || ((this.#rounds & 255) === 0 && performance.now() > this.#deadline)) {
      throw new TimeUp('out of time');
    }
  }
}
