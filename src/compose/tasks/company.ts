import type { TreeId } from '../../ports.ts';

/** What a loop has to heed that runs beside others of this process, under one lock of the repository. */
export interface Company {
  /** Number of its workspace, 1-based. */
  readonly lane: number;
  /** It is the first to be opened. */
  readonly isAlone: boolean;
  /** Runs what touches what the loops share (the user's tree, memory), one at a time. Not to be nested. */
  readonly alone: <T>(act: () => Promise<T>) => Promise<T>;
  /** Resolves once every loop before this one has ended and been delivered. */
  readonly turn: () => Promise<void>;
  /** Trees of the user's files that ralph took or left itself: anything else is the user's own doing. */
  readonly known: Set<TreeId>;
}

/** Runs one act after the other, in the order of the calls; one that rejects does not keep the next from its turn. */
export function createGate(): Company['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const result = last.then(act);
    last = result.catch(() => undefined);
    return result;
  };
}
