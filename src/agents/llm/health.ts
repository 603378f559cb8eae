import type { TryFailure } from './failures.ts';

const TRIES = 4;
/** Nobody who asks the same model gets another answer. */
const FINAL: readonly TryFailure['kind'][] = ['key', 'permission', 'not_found'];

/** What is known of the models of one loop, so that what failed for one who asked is not waited for by the next. */
export class ModelHealth {
  readonly #failures = new Map<string, TryFailure>();

  /** The failure that a further call would meet again for certain. */
  failureOf(model: string): TryFailure | undefined {
    const failure = this.#failures.get(model);
    return failure !== undefined && FINAL.includes(failure.kind) ? failure : undefined;
  }

  /** Tries that a call is worth: one where the last call found no answer in all of its own. */
  triesOf(model: string): number {
    return this.#failures.get(model)?.transient === true ? 1 : TRIES;
  }

  /** How the last call ended; undefined: it was answered. */
  note(model: string, failure: TryFailure | undefined): void {
    if (failure === undefined) this.#failures.delete(model);
    else this.#failures.set(model, failure);
  }
}
