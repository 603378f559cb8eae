import { ToolRefusal } from './tool.ts';

const MAX_WAITING = 64;

/** A queue that runs the calls of a client one after the other, so that parallel calls use no more resources. */
export interface Turns {
  /** Rejects if the work rejects, and with ToolRefusal if 64 calls are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when no call is waiting or running. Never rejects. */
  idle(): Promise<void>;
}

/** Creates an empty queue. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(work) {
      if (waiting >= MAX_WAITING)
        return Promise.reject(new ToolRefusal(`Busy: ${waiting} calls are waiting. Call again later.`));
      waiting++;
      const mine = last.then(work).finally(() => waiting--);
      last = mine.catch(() => {});
      return mine;
    },
    async idle() {
      await last;
    },
  };
}
