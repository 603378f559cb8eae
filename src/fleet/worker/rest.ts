const SHORTEST_MS = 4000;
const LONGEST_MS = 5 * 60_000;

/**
 * A worker's rest after a job that its machine could not run, so that other machines get the job, and that a network
 * which is away for a while does not send the whole queue to the dead letters.
 */
export interface Rest {
  /** Milliseconds until the worker may take a job; 0 if it may now. */
  remainingMs(): number;
  /** The machine could not run a job. Returns the milliseconds of the rest: twice those of the last one, at most 5 minutes. */
  begin(): number;
  /** The machine has run a job: the next rest is short again. */
  forget(): void;
}

/** Creates a rest that has not begun. `now` in ms. */
export function createRest(now: () => number = () => performance.now()): Rest {
  let until = 0;
  let nextMs = SHORTEST_MS;
  const remainingMs = (): number => Math.max(0, until - now());
  return {
    remainingMs,
    begin() {
      // Loops that ran at the same time and failed for the same reason count once.
      if (remainingMs() > 0) return remainingMs();
      const ms = nextMs;
      until = now() + ms;
      nextMs = Math.min(LONGEST_MS, ms * 2);
      return ms;
    },
    forget() {
      nextMs = SHORTEST_MS;
    },
  };
}
