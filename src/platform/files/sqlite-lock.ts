import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from './sqlite.ts';

export interface LockRequest {
  /**
   * `exclusive` keeps every other lock out; `shared` is only kept out by an exclusive one, and shows whether somebody
   * holds it. Default `exclusive`.
   */
  readonly mode?: 'exclusive' | 'shared';
  /** How long to wait, without returning to the event loop, while another process holds the lock. */
  readonly waitMs: number;
}

export type LockAttempt =
  | { readonly kind: 'held'; readonly lock: SqliteLock }
  /** Another connection, of this process or another one, holds the lock. */
  | { readonly kind: 'busy'; readonly error: unknown }
  /** The file cannot be opened or locked, or is not a database. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A lock that the kernel releases when the process ends, even by kill -9, and keeps while the process is stopped. */
export interface SqliteLock {
  /** May be called more than once. */
  release(): void;
}

/** Result codes of SQLite: https://www.sqlite.org/rescode.html */
export const SQLITE_NOTADB = 26;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

const BEGIN = { exclusive: 'BEGIN EXCLUSIVE', shared: 'BEGIN; SELECT count(*) FROM sqlite_schema' };

/** Garbage collection closes a database that nothing refers to, which would release its lock. */
const held = new Set<DatabaseSync>();

/** Locks a file by an open transaction of SQLite; creates the file if it is missing. Never throws. */
export function tryLock(path: string, { mode = 'exclusive', waitMs }: LockRequest): LockAttempt {
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(path, { timeout: waitMs });
    database.exec(BEGIN[mode]);
    return { kind: 'held', lock: hold(database) };
  } catch (error) {
    database?.close();
    return { kind: isBusy(error) ? 'busy' : 'failed', error };
  }
}

function hold(database: DatabaseSync): SqliteLock {
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

/** True if another connection holds the database. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** Primary result code of an error of SQLite, the low byte of the extended one; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}
