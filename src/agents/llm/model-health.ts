import type { TryFailure } from './failures.ts';
import type { Channel } from './recording.ts';

const TRIES = 4;
/** Failures that every further call to the same model repeats. */
const FINAL: readonly TryFailure['kind'][] = ['key', 'permission', 'not_found'];

/** The last failure of each model of one loop, so that the next caller does not wait for the same failure again. */
export class ModelHealth {
  readonly #failures = new Map<string, { readonly failure: TryFailure; readonly channel: Channel }>();

  /** The failure that a further call would certainly repeat. */
  failureOf(model: string): TryFailure | undefined {
    const failure = this.#failures.get(model)?.failure;
    return failure !== undefined && FINAL.includes(failure.kind) ? failure : undefined;
  }

  /** The failure of the last call, if another channel made it. */
  failureOfOthers(model: string, channel: Channel): TryFailure | undefined {
    const last = this.#failures.get(model);
    return last?.channel === channel ? undefined : last?.failure;
  }

  /** The number of tries for the next call: one if all tries of the last call failed, else four. */
  triesOf(model: string): number {
    return this.#failures.get(model)?.failure.transient === true ? 1 : TRIES;
  }

  /** Records how the last call ended; undefined if it was answered. */
  note(model: string, channel: Channel, failure: TryFailure | undefined): void {
    if (failure === undefined) this.#failures.delete(model);
    else this.#failures.set(model, { failure, channel });
  }
}
