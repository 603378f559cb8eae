import type { Usage } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import type { Attempt } from './attempt.ts';
import type { LoopOptions } from './options.ts';
import type { Progress } from './stop.ts';

type Limits = Pick<LoopOptions, 'maxCostUsd' | 'maxTimeMs' | 'maxTokens'>;

/** Time, tokens and money that a loop has used, beside its limits. */
export class Spending {
  readonly #limits: Limits;
  readonly #attempts: readonly Attempt[];
  readonly #unrecorded: () => Usage;
  readonly #started = performance.now();
  #others: Usage = NO_USAGE;

  /** `attempts` grows while the loop runs; `unrecorded` returns the usage so far of long-term memory and of an attempt that is not judged. */
  constructor(
    { maxCostUsd, maxTimeMs, maxTokens }: Limits,
    attempts: readonly Attempt[],
    unrecorded: () => Usage,
  ) {
    this.#limits = { maxCostUsd, maxTimeMs, maxTokens };
    this.#attempts = attempts;
    this.#unrecorded = unrecorded;
  }

  /** Wall time since the loop was started or resumed. */
  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** Usage of attempts, reflections, acceptance tests and long-term memory together. */
  get usage(): Usage {
    return sumUsage([
      this.#unrecorded(),
      this.#others,
      ...this.#attempts.map(({ trajectory }) => trajectory.usage),
    ]);
  }

  /** Adds the usage of a reflection, or of the writer of acceptance tests. */
  addUsage(usage: Usage): void {
    this.#others = sumUsage([this.#others, usage]);
  }

  /** Input of the stop conditions. */
  get progress(): Omit<Progress, 'maxIterations' | 'stopRequested'> {
    const { elapsedMs, usage } = this;
    return { attempts: this.#attempts, elapsedMs, usage, ...this.#limits };
  }
}
