import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode, messageOf, RalphError } from '../../errors.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { loadSqlite } from '../../platform/files/sqlite.ts';

const SQLITE_BUSY = 5;
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
  const database = await take(ralphFolder(repositoryRoot).memoryLock(), performance.now() + waitMs);
  try {
    return await work();
  } finally {
    database.close();
  }
}

async function take(path: string, deadline: number): Promise<DatabaseSync> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const taken = tryToTake(path);
    if (taken !== undefined) return taken;
    if (performance.now() > deadline) throw lockedError();
    await sleep(pauseMs);
  }
}

function tryToTake(path: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw new RalphError(`Could not lock ${path}: ${messageOf(error)}`, {
      code: 'workspace_unwritable',
      exitCode: ExitCode.workspace,
      hint: 'It holds nothing but a lock: remove it, and check who may write there.',
      cause: error,
    });
  }
}

function lockedError(): RalphError {
  return new RalphError('Another ralph process is writing long-term memory.', {
    code: 'locked',
    exitCode: ExitCode.workspace,
    hint: 'Try again in a moment.',
  });
}
