import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { ensureRalphFolder, ralphPath } from '../platform/ralph-folder.ts';
import { primaryCode, SQLITE_NOTADB, tryLock } from '../platform/files/sqlite-lock.ts';

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
/** Longer than `lockHolder` of another process holds its shared lock. */
const WAIT_MS = 250;
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
  const attempt = tryLock(path, { waitMs: WAIT_MS });
  if (attempt.kind === 'busy') throw lockedError(readHolder(repositoryRoot));
  if (attempt.kind === 'failed') throw lockFailure(path, attempt.error);
  const holder = { pid: process.pid, host: hostname(), loopId, command, since: new Date().toISOString() };
  failpoint('lock.taken', path);
  noteHolder(repositoryRoot, holder);
  failpoint('lock.noted', path);
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    rmSync(ralphPath(repositoryRoot, HOLDER_FILE), { force: true });
    attempt.lock.release();
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
  const attempt = tryLock(path, { mode: 'shared', waitMs: WAIT_MS });
  if (attempt.kind === 'busy') return readHolder(repositoryRoot);
  if (attempt.kind === 'failed') throw lockFailure(path, attempt.error);
  attempt.lock.release();
  return null;
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
