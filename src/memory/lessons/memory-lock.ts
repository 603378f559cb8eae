import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode, messageOf, RalphError } from '../../errors.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { tryLock, type SqliteLock } from '../../platform/files/sqlite-lock.ts';
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Runs `work` while no other process and nothing else in this one writes long-term memory; the kernel gives the lock up
 * with the process, kill -9 included. Waits up to `waitMs`. Throws RalphError `locked` after that, and
 * `workspace_unwritable` where the file system cannot lock.
 */
export async function withMemoryLock<T>(
  repositoryRoot: string,
  work: () => Promise<T>,
  waitMs = 10_000,
): Promise<T> {
  ensureRalphFolder(repositoryRoot);
  const lock = await acquire(ralphFolder(repositoryRoot).memoryLock(), performance.now() + waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function acquire(path: string, deadline: number): Promise<SqliteLock> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const attempt = tryLock(path, { waitMs: 0 });
    if (attempt.kind === 'held') return attempt.lock;
    if (attempt.kind === 'failed') throw lockFailure(path, attempt.error);
    if (performance.now() > deadline) throw lockedError();
    await sleep(pauseMs);
  }
}

function lockFailure(path: string, cause: unknown): RalphError {
  return new RalphError(`Could not lock ${path}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'The file holds nothing but a lock: remove it, and check who may write there.',
    cause,
  });
}

function lockedError(): RalphError {
  return new RalphError('Another ralph process is writing long-term memory.', {
    code: 'locked',
    exitCode: ExitCode.workspace,
    hint: 'Try again in a moment.',
  });
}
