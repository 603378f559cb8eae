import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ExitCode, RalphError } from '../../errors.ts';
import { isStopped } from '../../platform/processes/is-stopped.ts';
import { acquireLock, lockHolder, type Holder, type Lock, type LockRequest } from '../../state/lock.ts';

const POLL_MS = 200;
/** A check that stands still for this long is not only suspended for a moment. */
const STOPPED_MS = 5_000;

interface WaitRequest extends Pick<LockRequest, 'loopId' | 'asks'> {
  /** Longest wait for another process. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Locks the repository, waiting for another ralph that works in it. Throws RalphError `locked` when the time is over, and
 * `lock_stopped` where the other one is a check of the gate that somebody has stopped: it would never end.
 */
export async function waitForLock(
  root: string,
  { loopId, asks, waitMs, signal }: WaitRequest,
): Promise<Lock> {
  const end = performance.now() + waitMs;
  let stoppedSince: number | undefined;
  for (;;) {
    try {
      return acquireLock(root, { loopId, command: 'gate', ...(asks && { asks }) });
    } catch (error) {
      const isBusy = error instanceof RalphError && error.code === 'locked';
      if (!isBusy || performance.now() >= end || signal.aborted) throw error;
    }
    const stopped = stoppedCheck(lockHolder(root));
    stoppedSince = stopped === undefined ? undefined : (stoppedSince ?? performance.now());
    if (stopped !== undefined && performance.now() - stoppedSince! >= STOPPED_MS) throw stoppedError(stopped);
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The process of a check on this machine that is stopped; undefined for another holder, and for one that runs. */
function stoppedCheck(holder: Holder | null): number | undefined {
  const { pid = null, host, command } = holder ?? {};
  const isOurs = pid !== null && host === hostname() && command?.startsWith('gate') === true;
  return isOurs && isStopped(pid) ? pid : undefined;
}

function stoppedError(pid: number): RalphError {
  return new RalphError(`Another check of this repository was stopped and never ends: process ${pid}.`, {
    code: 'lock_stopped',
    exitCode: ExitCode.workspace,
    hint: `Let it go on: kill -CONT ${pid}`,
  });
}
