import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { ensureRalphFolder, ralphPath } from '../platform/ralph-folder.ts';
import { loadSqlite } from '../platform/files/sqlite.ts';

/** The repository is ours until this is released, or until the process ends in any way whatever. */
export interface Lock {
  readonly holder: Holder;
  /** May be called again. */
  release(): void;
}

/** Who works in the repository, as far as it said so itself. */
export interface Holder {
  readonly pid: number | null;
  readonly host: string | null;
  readonly loopId: string | null;
  /** For example `run`. */
  readonly command: string | null;
  /** ISO 8601. */
  readonly since: string | null;
}

const LOCK_FILE = 'lock.sqlite';
const HOLDER_FILE = 'lock.sqlite.holder.json';
/** Long enough to sit out another process's glance at the lock. */
const WAIT_MS = 250;
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
/** A database that nothing refers to is collected as garbage, and its lock would go with it. */
const held = new Set<DatabaseSync>();
const UNKNOWN: Holder = { pid: null, host: null, loopId: null, command: null, since: null };

/**
 * Takes the repository for one loop by an exclusive transaction on `.aiwg/ralph/lock.sqlite`; the kernel
 * gives it up with the process, kill -9 included, and keeps it for a stopped one. Throws RalphError `locked`
 * with the holder, `workspace_unwritable` where the file system cannot lock, `state_damaged` where the lock
 * file is none.
 */
export function acquireLock(
  repositoryRoot: string,
  { loopId, command }: { readonly loopId: string; readonly command: string },
): Lock {
  ensureRalphFolder(repositoryRoot);
  const path = ralphPath(repositoryRoot, LOCK_FILE);
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
    rmSync(ralphPath(repositoryRoot, HOLDER_FILE), { force: true });
    database.close();
  };
  return { holder, release };
}

/**
 * Who holds the repository; null when nobody does, even if a killed process left its note. A holder that has
 * not said who it is has null fields. Throws RalphError where the lock file cannot be read.
 */
export function lockHolder(repositoryRoot: string): Holder | null {
  const path = ralphPath(repositoryRoot, LOCK_FILE);
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

/** The lock holds without the note. On a full disk a note of somebody else's would be worse than none. */
function noteHolder(repositoryRoot: string, holder: Holder): void {
  try {
    writeHolder(repositoryRoot, holder);
  } catch {
    rmSync(ralphPath(repositoryRoot, HOLDER_FILE), { force: true });
    rmSync(`${ralphPath(repositoryRoot, HOLDER_FILE)}.${process.pid}`, { force: true });
  }
}

function writeHolder(repositoryRoot: string, holder: Holder): void {
  const path = ralphPath(repositoryRoot, HOLDER_FILE);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(holder)}\n`);
  renameSync(temporary, path);
}

function readHolder(repositoryRoot: string): Holder {
  try {
    const note = JSON.parse(readFileSync(ralphPath(repositoryRoot, HOLDER_FILE), 'utf8')) as Partial<Holder>;
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
    return new RalphError(`${path} is damaged: it is no lock file.`, {
      code: 'state_damaged',
      exitCode: ExitCode.state,
      hint: `It holds nothing but the lock. Remove it: rm ${path}`,
      cause,
    });
  }
  return new RalphError(`Could not lock ${path}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Check who may write there. Some network file systems cannot lock; a repository on a local disk can.',
    cause,
  });
}
