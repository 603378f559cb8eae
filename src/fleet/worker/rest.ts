import { MACHINES_PER_JOB } from '../queue/boss.ts';

const SHORTEST_MS = 4000;
const LONGEST_MS = 5 * 60_000;

/** Waits for a host that is away, after which a job is tried as if the machine were at fault: about 1.5 hours. */
const MOST_WAITS = 24;
/** Retries that pg-boss gives a job from the beginning. */
const FIRST_LIMIT = MACHINES_PER_JOB - 1;

/**
 * Seconds until a job whose git host or registry is away is tried again: twice those of the last time, at most 5 minutes.
 * `retryLimit` has grown by one each time. Undefined if it was waited for too often.
 */
export function waitSeconds(retryLimit: number): number | undefined {
  const waits = Math.max(0, retryLimit - FIRST_LIMIT);
  return waits >= MOST_WAITS ? undefined : Math.min(LONGEST_MS, SHORTEST_MS * 2 ** waits) / 1000;
}

/**
 * A worker's rest after a job that its machine could not run, so that other machines get the job, and that a full
 * disk does not send the whole queue to the dead letters.
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
