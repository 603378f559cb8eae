import type { TreeId } from '../../ports/tree.ts';

/** State that a loop shares with the loops that run at the same time in this process, under one lock of the repository. */
export interface SiblingLoops {
  /** Number of the loop's workspace, 1-based. Loops that run at the same time have different ones. */
  readonly slot: number;
  /** True for the loop that is opened first. */
  readonly isFirst: boolean;
  /** Runs a function that uses what the loops share (the user's tree, memory), one at a time. Calls must not be nested. */
  readonly exclusive: Exclusive;
  /** Resolves when every earlier loop has ended and been delivered. */
  readonly earlierDelivered: () => Promise<void>;
  /** Trees of the user's files that ralph has read or written. Any other tree is a change by the user. */
  readonly knownTrees: Set<TreeId>;
}

export type Exclusive = <T>(run: () => Promise<T>) => Promise<T>;

/** Creates a mutex: functions run one after the other in the order of the calls, also after one that rejects. */
export function createExclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
