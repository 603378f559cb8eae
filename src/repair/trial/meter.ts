/** Loaded in the test process: how long a run may go on. */
import { TimeUp } from './guards.ts';

export interface Limits {
  /** For each stretch of synchronous code and for each wait. */
  readonly limitMs: number;
  /** Rounds of loops, all loops together. */
  readonly maxRounds: number;
}

export const UNLIMITED: Limits = { limitMs: Infinity, maxRounds: Infinity };

/** Counts rounds of loops of the run that is under way and ends it when it has had its share. */
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

  /** Called at the start of each round. Throws `TimeUp`, again and again where the tested code catches it. */
  tick(): void {
    const isOver = ++this.#rounds > this.#maxRounds;
    if (isOver || ((this.#rounds & 255) === 0 && performance.now() > this.#deadline)) {
      throw new TimeUp('out of time');
    }
  }
}
