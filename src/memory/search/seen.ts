import type { DatabaseSync } from './database.ts';
import { packStamps, unpackStamps, type Stamp } from './stamp.ts';

/** The store as the index has seen it. */
export interface Seen {
  /** Names of the loops' folders, sorted, each with its stamp. */
  readonly folders: readonly string[];
  readonly stamps: Float64Array;
  /** Of the folder of all reflections. */
  readonly root: Float64Array;
  readonly files: number;
  /** When every file was last looked at, ms since 1970. */
  readonly swept: number;
}

/** Throws where the index is damaged. */
export function readSeen(database: DatabaseSync): Seen {
  const row = database.prepare('SELECT root, files, swept FROM seen').get() as
    (Record<'files' | 'swept', number> & { readonly root: Uint8Array }) | undefined;
  if (row === undefined) throw new Error('The index does not say what it has seen.');
  let folders: string[] | undefined;
  let stamps: Float64Array | undefined;
  const column = (name: 'folders' | 'stamps') =>
    database.prepare(`SELECT ${name} FROM seen`).get()![name] as unknown;
  return {
    // Read where they are asked for: of many thousand folders that takes longer than a query.
    get folders() {
      return (folders ??= JSON.parse(column('folders') as string) as string[]);
    },
    get stamps() {
      return (stamps ??= unpackStamps(column('stamps') as Uint8Array));
    },
    root: unpackStamps(row.root),
    files: row.files,
    swept: row.swept,
  };
}

/** Of an index that is about to be made. */
export const NOTHING_SEEN: Seen = {
  folders: [],
  stamps: new Float64Array(),
  root: new Float64Array(),
  ...{ files: 0, swept: 0 },
};

/** Notes that every file was looked at and that nothing has changed. */
export function noteSweep(
  database: DatabaseSync,
  { root, swept }: { readonly root: Stamp; readonly swept: number },
): void {
  database.prepare('UPDATE seen SET root = ?, swept = ?').run(packStamps([root]), swept);
}

/** Written at the end of every change. */
export function writeSeen(
  database: DatabaseSync,
  {
    folders,
    root,
    swept,
  }: { readonly folders: ReadonlyMap<string, Stamp>; readonly root: Stamp; readonly swept: number },
): void {
  database
    .prepare(
      `UPDATE seen SET folders = ?, stamps = ?, root = ?, swept = ?,
        files = (SELECT count(*) FROM doc)`,
    )
    .run(JSON.stringify([...folders.keys()]), packStamps([...folders.values()]), packStamps([root]), swept);
}

/** Files of a loop's folder as they were when they were read, each with its stamp. */
export interface SeenFolder {
  readonly name: string;
  readonly files: readonly string[];
  readonly stamps: Float64Array;
}

interface FolderRow {
  readonly name: string;
  readonly files: string;
  readonly stamps: Uint8Array;
}

export function readSeenFolder(database: DatabaseSync, name: string): SeenFolder | undefined {
  const row = database.prepare('SELECT * FROM folder WHERE name = ?').get(name) as FolderRow | undefined;
  return row === undefined ? undefined : toFolder(row);
}

export function* seenFolders(database: DatabaseSync): Iterable<SeenFolder> {
  for (const row of database.prepare('SELECT * FROM folder').iterate())
    yield toFolder(row as unknown as FolderRow);
}

export function writeSeenFolder(
  database: DatabaseSync,
  { name, files }: { readonly name: string; readonly files: ReadonlyMap<string, Stamp> },
): void {
  database
    .prepare('INSERT OR REPLACE INTO folder VALUES (?, ?, ?)')
    .run(name, JSON.stringify([...files.keys()]), packStamps([...files.values()]));
}

function toFolder({ name, files, stamps }: FolderRow): SeenFolder {
  return { name, files: JSON.parse(files) as string[], stamps: unpackStamps(stamps) };
}
