import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { loadSqlite } from '../../platform/files/sqlite.ts';
import { isBusy, primaryCode, tryLock, type SqliteLock } from '../../platform/files/sqlite-lock.ts';
import { FIELDS } from './fields.ts';

export type { DatabaseSync } from 'node:sqlite';

/** Raise it with every change of the tables, of the terms, and of a reflection's schema. */
const VERSION = 2;
/** The writer of the index holds an exclusive transaction on this database. */
const WRITER_SUFFIX = '-writer';
const WAIT_MS = 500;

/**
 * `folder`: names and stamps of a loop's files when they were indexed. `seen`: names and stamps of all folders in one
 * row, since reading many rows takes longer than the rest of a query. `doc`: a reflection, or a damaged file with its
 * `problem`. `words` stores its texts, because contentless FTS5 tables keep counting removed rows in their weights.
 * `doc_by_time` covers category and confidence, so that a scan for rare values needs no lookup per row.
 */
export const TABLES = `
  PRAGMA user_version = ${VERSION};
  CREATE TABLE seen (folders TEXT NOT NULL, stamps BLOB NOT NULL, root BLOB NOT NULL,
    files INTEGER NOT NULL, swept INTEGER NOT NULL);
  INSERT INTO seen VALUES ('[]', x'', x'', 0, 0);
  CREATE TABLE folder (name TEXT PRIMARY KEY, files TEXT NOT NULL, stamps BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE doc (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, folder TEXT NOT NULL, number INTEGER,
    source TEXT, problem TEXT, loop TEXT, time INTEGER, iteration INTEGER, category TEXT, confidence REAL);
  CREATE INDEX doc_by_time ON doc (time DESC, iteration DESC, path, category, confidence) WHERE problem IS NULL;
  CREATE INDEX doc_by_folder ON doc (folder);
  CREATE INDEX doc_by_loop ON doc (loop);
  CREATE INDEX doc_damaged ON doc (path) WHERE problem IS NOT NULL;
  CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE doc_file (file INTEGER NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (file, doc)) WITHOUT ROWID;
  CREATE INDEX doc_file_by_doc ON doc_file (doc);
  CREATE TABLE fingerprint (value TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (value, doc)) WITHOUT ROWID;
  CREATE INDEX fingerprint_by_doc ON fingerprint (doc);
  CREATE VIRTUAL TABLE words USING fts5 (${Object.keys(FIELDS).join(', ')}, tokenize='ascii');
`;

/** Opens the index for reading; undefined where there is none of this version. Throws where it is damaged or busy. */
export function openToRead(repositoryRoot: string): DatabaseSync | undefined {
  const path = ralphFolder(repositoryRoot).index();
  if (!existsSync(path)) return undefined;
  const database = new (loadSqlite().DatabaseSync)(path, { readOnly: true, timeout: WAIT_MS });
  try {
    database.exec('PRAGMA cell_size_check = ON; BEGIN');
    if (versionOf(database) === VERSION) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** Exclusive write access to the index. */
export interface Writer {
  /** Changes the existing index in one transaction. Throws where there is none of this version. */
  change(act: (database: DatabaseSync) => Promise<void>): Promise<void>;
  /** Builds a new index in a separate file, which replaces the old one when it is complete. */
  build(act: (database: DatabaseSync) => Promise<void>): Promise<void>;
}

/**
 * Gives `act` the right to write, which one process has at a time; the kernel takes it back from one that died.
 * Throws where another has it, or where nothing can be written.
 */
export async function asWriter<T>(repositoryRoot: string, act: (writer: Writer) => Promise<T>): Promise<T> {
  const path = ralphFolder(repositoryRoot).index();
  const lock = lockWriter(ralphFolder(repositoryRoot).index(WRITER_SUFFIX));
  try {
    return await act({ change: (work) => change(path, work), build: (work) => build(path, work) });
  } finally {
    lock.release();
  }
}

/** A damaged lock file is replaced, because it holds nothing but the lock. Throws SQLite's error if it cannot be locked. */
function lockWriter(path: string, isRetry = false): SqliteLock {
  const attempt = tryLock(path, { waitMs: WAIT_MS });
  if (attempt.kind === 'held') return attempt.lock;
  if (isRetry || failureKind(attempt.error) !== 'damaged') throw attempt.error;
  removeDatabase(path);
  return lockWriter(path, true);
}

async function change(path: string, act: (database: DatabaseSync) => Promise<void>): Promise<void> {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: WAIT_MS });
  try {
    database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
    if (versionOf(database) !== VERSION) throw new Error('The index has another version.');
    await act(database);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** Removes the old file before its journal: SQLite would replay a remaining journal into the new file. */
async function build(path: string, act: (database: DatabaseSync) => Promise<void>): Promise<void> {
  const fresh = `${path}-building`;
  removeDatabase(fresh);
  const database = new (loadSqlite().DatabaseSync)(fresh);
  try {
    database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN; ${TABLES}`,
    );
    await act(database);
    database.exec(
      'COMMIT; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; UPDATE seen SET files = files; COMMIT',
    );
    database.close();
    removeDatabase(path);
    renameSync(fresh, path);
  } catch (error) {
    if (database.isOpen) database.close();
    removeDatabase(fresh);
    throw error;
  }
}

/** Primary result codes of SQLite after which the index itself may be intact: permission, memory, disk and the like. */
const REFUSED: ReadonlySet<number> = new Set([3, 7, 8, 10, 13, 14, 23]);

/** The kind of a failure: another process holds the index, the system refuses access, or the index must be rebuilt. */
export function failureKind(error: unknown): 'busy' | 'refused' | 'damaged' {
  if (isBusy(error)) return 'busy';
  const primary = primaryCode(error);
  if (primary !== undefined) return REFUSED.has(primary) ? 'refused' : 'damaged';
  return (error as { readonly code?: string }).code === undefined ? 'damaged' : 'refused';
}

function versionOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function removeDatabase(path: string): void {
  for (const name of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
}
