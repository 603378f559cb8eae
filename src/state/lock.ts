import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { ensureRalphFolder, ralphFolder } from '../platform/ralph-folder.ts';
import { primaryCode, SQLITE_NOTADB, tryLock, type LockAttempt } from '../platform/files/sqlite-lock.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

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
  /** What it works on, if it gives the lock back when it is asked to; else null. */
  readonly yieldsFrom: string | null;
}

/** Who wants the lock, and how. */
export interface LockRequest {
  readonly loopId: string;
  /** For example `run`. */
  readonly command: string;
  /** For work that can be done again: whoever wants the lock gets it. */
  readonly yielding?: Yielding;
  /** Whether to ask a holder that yields for the lock. Default: always. */
  readonly asks?: (holder: Holder) => boolean;
}

export interface Yielding {
  /** What it works on, for those who would rather wait for its result. */
  readonly work: string;
  /** Called once, when another process asks for the lock. It must then be released soon. */
  readonly onAsked: () => void;
}

/** Longer than `lockHolder` of another process holds its shared lock. */
const WAIT_MS = 250;
/** A holder that is asked for the lock ends its programs first. */
const YIELD_MS = 5_000;
const ASKED_POLL_MS = 50;
const UNKNOWN: Holder = { pid: null, host: null, loopId: null, command: null, since: null, yieldsFrom: null };

/**
 * Locks the repository for one loop by an exclusive transaction on `.aiwg/ralph/lock.sqlite`. The kernel releases the lock
 * when the process ends, also by kill -9, and keeps it while the process is stopped. Throws RalphError `locked` with the
 * holder, `workspace_unwritable` if the file system cannot lock, `state_damaged` if the file is not a lock file. A holder that
 * yields is asked for the lock.
 */
export function acquireLock(
  repositoryRoot: string,
  { loopId, command, yielding, asks = () => true }: LockRequest,
): Lock {
  ensureRalphFolder(repositoryRoot);
  const path = ralphFolder(repositoryRoot).lock();
  const attempt = tryOrAsk(repositoryRoot, asks);
  if (attempt.kind === 'busy') throw lockedError(readHolder(repositoryRoot));
  if (attempt.kind === 'failed') throw lockFailure(path, attempt.error);
  const since = new Date().toISOString();
  const yieldsFrom = yielding?.work ?? null;
  const holder = { pid: process.pid, host: hostname(), loopId, command, since, yieldsFrom };
  failpoint('lock.taken', path);
  const stopListening = yielding === undefined ? undefined : listen(repositoryRoot, yielding);
  noteHolder(repositoryRoot, holder);
  failpoint('lock.noted', path);
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    stopListening?.();
    rmSync(ralphFolder(repositoryRoot).lockHolder(), { force: true });
    attempt.lock.release();
  };
  return { holder, release };
}

function tryOrAsk(repositoryRoot: string, asks: NonNullable<LockRequest['asks']>): LockAttempt {
  const path = ralphFolder(repositoryRoot).lock();
  const attempt = tryLock(path, { waitMs: WAIT_MS });
  if (attempt.kind !== 'busy') return attempt;
  const holder = readHolder(repositoryRoot);
  if (holder.yieldsFrom === null || !asks(holder)) return attempt;
  writeFileSync(ralphFolder(repositoryRoot).lockAsked(), '');
  return tryLock(path, { waitMs: YIELD_MS });
}

/** Waits until another process asks for the lock. A question to an earlier holder is forgotten; returns how to end it. */
function listen(repositoryRoot: string, { onAsked }: Yielding): () => void {
  const path = ralphFolder(repositoryRoot).lockAsked();
  rmSync(path, { force: true });
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    clearInterval(timer);
    onAsked();
  }, ASKED_POLL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
}

/**
 * The process that holds the repository's lock; null if it is free, even if a killed process left its note. Throws
 * RalphError if the lock file cannot be read.
 */
export function lockHolder(repositoryRoot: string): Holder | null {
  const path = ralphFolder(repositoryRoot).lock();
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
      readOwnFile(ralphFolder(repositoryRoot).lockHolder()).toString('utf8'),
    ) as Partial<Holder>;
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      pid: typeof note.pid === 'number' ? note.pid : null,
      host: text(note.host),
      loopId: text(note.loopId),
      command: text(note.command),
      since: text(note.since),
      yieldsFrom: text(note.yieldsFrom),
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
