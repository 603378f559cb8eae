import { setTimeout as delay } from 'node:timers/promises';
import { RalphError } from '../../errors.ts';
import { acquireLock, type Lock, type LockRequest } from '../../state/lock.ts';

const POLL_MS = 200;

interface WaitRequest extends Pick<LockRequest, 'loopId' | 'asks'> {
  /** Longest wait for another process. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Locks the repository, waiting for another ralph that works in it. Throws RalphError `locked` when the time is over. */
export async function waitForLock(
  root: string,
  { loopId, asks, waitMs, signal }: WaitRequest,
): Promise<Lock> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      return acquireLock(root, { loopId, command: 'gate', ...(asks && { asks }) });
    } catch (error) {
      const isBusy = error instanceof RalphError && error.code === 'locked';
      if (!isBusy || performance.now() >= end || signal.aborted) throw error;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
