import { ToolRefusal } from './tool.ts';

const MOST_WAITING = 64;

/** Work of a client, one piece behind the other: asking for everything at once costs no more than asking in turn. */
export interface Turns {
  /** Rejects as the work does, and with ToolRefusal where too much waits already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** When nothing waits or runs. Never rejects. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(work) {
      if (waiting >= MOST_WAITING)
        return Promise.reject(new ToolRefusal(`Busy: ${waiting} calls are waiting.`));
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
