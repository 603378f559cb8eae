import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { ensureRalphFolder, ralphFolder } from '../platform/ralph-folder.ts';
import { loadSqlite } from '../platform/files/sqlite.ts';

/** Exclusive use of the repository, until it is released or the process ends. */
export interface Lock {
  readonly holder: Holder;
  /** Calling it again has no effect. */
  release(): void;
}

/** The process that holds the lock, by its own note. Fields are null if there is no readable note. */
export interface Holder {
  readonly pid: number | null;
  readonly host: string | null;
  readonly loopId: string | null;
  /** For example `run`. */
  readonly command: string | null;
  /** ISO 8601. */
  readonly since: string | null;
}

/** Long enough to wait while another process looks who holds the lock. */
const WAIT_MS = 250;
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
/** Keeps databases from being garbage-collected, which would release their locks. */
const held = new Set<DatabaseSync>();
const UNKNOWN: Holder = { pid: null, host: null, loopId: null, command: null, since: null };

/**
 * Locks the repository for one loop by an exclusive transaction on `.aiwg/ralph/lock.sqlite`. The kernel releases the lock
 * when the process ends, also by kill -9, and keeps it while the process is stopped. Throws RalphError `locked` with the
 * holder, `workspace_unwritable` if the file system cannot lock, `state_damaged` if the file is not a lock file.
 */
export function acquireLock(
  repositoryRoot: string,
  { loopId, command }: { readonly loopId: string; readonly command: string },
): Lock {
  ensureRalphFolder(repositoryRoot);
  const path = ralphFolder(repositoryRoot).lock();
  const outcome = tryTransaction(path, 'BEGIN EXCLUSIVE');
  if (outcome.kind === 'busy') throw lockedError(readHolder(repositoryRoot));
  if (outcome.kind === 'failed') throw lockFailure(path, outcome.error);
  const holder = { pid: process.pid, host: hostname(), loopId, command, since: new Date().toISOString() };
  const { database } = outcome;
  held.add(database);
  failpoint('lock.taken', path);
  noteHolder(repositoryRoot, holder);
  failpoint('lock.noted', path);
  const release = (): void => {
    if (!held.delete(database)) return;
    rmSync(ralphFolder(repositoryRoot).lockHolder(), { force: true });
    database.close();
  };
  return { holder, release };
}

/**
 * The process that holds the repository's lock; null if it is free, even if a killed process left its note. Throws
 * RalphError if the lock file cannot be read.
 */
export function lockHolder(repositoryRoot: string): Holder | null {
  const path = ralphFolder(repositoryRoot).lock();
  if (!existsSync(path)) return null;
  const outcome = tryTransaction(path, 'BEGIN; SELECT count(*) FROM sqlite_schema');
  if (outcome.kind === 'busy') return readHolder(repositoryRoot);
  if (outcome.kind === 'failed') throw lockFailure(path, outcome.error);
  outcome.database.close();
  return null;
}

type Transaction =
  | { readonly kind: 'open'; readonly database: DatabaseSync }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: unknown };

function tryTransaction(path: string, sql: string): Transaction {
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(path, { timeout: WAIT_MS });
    database.exec(sql);
    return { kind: 'open', database };
  } catch (error) {
    database?.close();
    return primaryCode(error) === SQLITE_BUSY ? { kind: 'busy' } : { kind: 'failed', error };
  }
}

/** SQLite's extended result codes carry the primary one in their low byte. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Writes the holder's note, or removes an old one if the disk refuses: the lock holds without it. */
function noteHolder(repositoryRoot: string, holder: Holder): void {
  try {
    writeHolder(repositoryRoot, holder);
  } catch {
    rmSync(ralphFolder(repositoryRoot).lockHolder(), { force: true });
    rmSync(`${ralphFolder(repositoryRoot).lockHolder()}.${process.pid}`, { force: true });
  }
}

function writeHolder(repositoryRoot: string, holder: Holder): void {
  const path = ralphFolder(repositoryRoot).lockHolder();
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(holder)}\n`);
  renameSync(temporary, path);
}

function readHolder(repositoryRoot: string): Holder {
  try {
    const note = JSON.parse(
      readFileSync(ralphFolder(repositoryRoot).lockHolder(), 'utf8'),
    ) as Partial<Holder>;
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      pid: typeof note.pid === 'number' ? note.pid : null,
      host: text(note.host),
      loopId: text(note.loopId),
      command: text(note.command),
      since: text(note.since),
    };
  } catch {
    return UNKNOWN;
  }
}

function lockedError({ pid, host, loopId, command, since }: Holder): RalphError {
  const where = host === null || host === hostname() ? '' : ` on ${host}`;
  const who =
    pid === null
      ? 'another ralph process'
      : `ralph ${command ?? ''} (process ${pid}${where}, loop ${loopId ?? 'unknown'}, since ${since ?? 'unknown'})`;
  return new RalphError(`The repository is in use by ${who}.`, {
    code: 'locked',
    exitCode: ExitCode.workspace,
    hint: 'See what it does: ralph status\nStop it: ralph abort',
  });
}

function lockFailure(path: string, cause: unknown): RalphError {
  if (primaryCode(cause) === SQLITE_NOTADB) {
    return new RalphError(`${path} is damaged: it is not a lock file.`, {
      code: 'state_damaged',
      exitCode: ExitCode.state,
      hint: `It contains no data. Remove it: rm ${path}`,
      cause,
    });
  }
  return new RalphError(`Could not lock ${path}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Check who may write there. Some network file systems do not support locks; use a repository on a local disk.',
    cause,
  });
}
