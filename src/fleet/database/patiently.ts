import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from './database-error.ts';

const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 2000;

/** Repeats `run` while the server is away, full or busy with a conflicting transaction; rejects when `signal` aborts. */
export async function patiently<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted === true) throw error;
      await sleep(delay, undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw error;
      });
    }
  }
}
