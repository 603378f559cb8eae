/** Runs calls that only read side by side, and every other call alone, as if they ran in the order of `run`. */
export interface CallOrder {
  run<T>(onlyReads: boolean, call: () => Promise<T>): Promise<T>;
}

/** Creates the order of the calls of one conversation. */
export function createCallOrder(): CallOrder {
  /** Ends with the last call that is not a reader. */
  let lastWrite: Promise<unknown> = Promise.resolve();
  let readsSince: Promise<unknown>[] = [];
  return {
    run<T>(onlyReads: boolean, call: () => Promise<T>): Promise<T> {
      const before = onlyReads ? lastWrite : Promise.all([lastWrite, ...readsSince]);
      const running = before.then(call);
      const ended = running.catch(() => undefined);
      if (onlyReads) readsSince.push(ended);
      else [lastWrite, readsSince] = [ended, []];
      return running;
    },
  };
}
