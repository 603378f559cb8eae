import type { AttemptOutcome } from '../../ports/memory.ts';
import type { Observation } from '../../schema/generated.ts';
import { entriesOf, type MicroEntry } from './micro/entries.ts';

/** The attempts of the running loop, and a queue of passes that run beside it. */
export class Session {
  loopId = '';
  readonly observations: Observation[] = [];
  readonly entries: MicroEntry[] = [];
  /** Aborted when the time for passes at the loop's end has run out. */
  readonly stop = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  get isEmpty(): boolean {
    return this.observations.length === 0;
  }

  /** A session without failures has little for a model to find. */
  get hasFailures(): boolean {
    return this.observations.some(({ passed }) => !passed);
  }

  /** Adds an attempt; the same attempt again changes nothing. */
  add(outcome: AttemptOutcome, observation: Observation): void {
    this.loopId = outcome.loopId;
    if (this.observations.some(({ id }) => id === observation.id)) return;
    this.observations.push(observation);
    this.entries.push(...entriesOf(observation, outcome.task, outcome.trajectory));
  }

  /** Restores the earlier attempts of a resumed loop from their observations, which have no trajectories. */
  restore(all: readonly Observation[], { loopId, iteration, task }: AttemptOutcome): void {
    const earlier = all.filter((one) => one.loop_id === loopId && one.iteration < iteration - 1);
    this.observations.push(...earlier);
    this.entries.push(...earlier.flatMap((one) => entriesOf(one, task)));
  }

  /** Aborted by `signal` or by `stop`. */
  signalWith(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.stop.signal]);
  }

  /** Queues a pass behind the earlier ones; its failure is ignored. */
  enqueue(act: () => Promise<void>): void {
    this.#queue = this.#queue.then(act).catch(() => undefined);
  }

  /** Resolves when the queue is empty. */
  settled(): Promise<void> {
    return this.#queue;
  }
}
