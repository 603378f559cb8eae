import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { loadSqlite } from '../../platform/files/sqlite.ts';
import { FIELDS } from './terms.ts';

export type { DatabaseSync } from 'node:sqlite';

/** To be raised with every change of the tables, of what is a term, and of what is a reflection. */
const VERSION = 2;
/** Who writes the index holds an exclusive transaction on this file beside it. */
const WRITER_SUFFIX = '-writer';
const WAIT_MS = 500;

/**
 * `folder`: what was seen of each loop's folder when it was read, with its files. `seen`: the same of all folders
 * in one row, since reading many rows takes longer than the rest of a query. `doc`: a reflection, or with `problem`
 * a file that is none. `words` keeps its texts: without them FTS5 goes on to count removed rows in its weights.
 * `doc_by_time` holds category and confidence too: where hardly anything has what is asked for, all of it is gone
 * through, and looking up every row beside it would take several times as long.
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

/** The index to read in; undefined where there is none of this version. Throws where it is damaged or busy. */
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

/** The right to write the index. */
export interface Writer {
  /** The index as it is, to be changed in one transaction. Throws where it is none. */
  change(act: (database: DatabaseSync) => Promise<void>): Promise<void>;
  /** An index anew, beside the old one until it is whole. */
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
    lock.close();
  }
}

/** The file holds nothing but the lock: one that is no database is made anew. */
function lockWriter(path: string, isRetry = false): DatabaseSync {
  const lock = new (loadSqlite().DatabaseSync)(path, { timeout: WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isRetry || failureKind(error) !== 'damaged') throw error;
    removeDatabase(path);
    return lockWriter(path, true);
  }
}

async function change(path: string, act: (database: DatabaseSync) => Promise<void>): Promise<void> {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: WAIT_MS });
  try {
    database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
    if (versionOf(database) !== VERSION) throw new Error('The index is of another version.');
    await act(database);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** The old file goes before its journal: a journal that is left beside another file would be played back into it. */
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

/** SQLite's primary result codes by what they say of an index. */
const BUSY: ReadonlySet<number> = new Set([5, 6]);
const REFUSED: ReadonlySet<number> = new Set([3, 7, 8, 10, 13, 14, 23]);

/** Why the index failed: another process has it, the system refuses, or it must be made anew. */
export function failureKind(error: unknown): 'busy' | 'refused' | 'damaged' {
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  if (errcode === undefined) return code === undefined ? 'damaged' : 'refused';
  const primary = errcode & 0xff;
  return BUSY.has(primary) ? 'busy' : REFUSED.has(primary) ? 'refused' : 'damaged';
}

function versionOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function removeDatabase(path: string): void {
  for (const name of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
}
