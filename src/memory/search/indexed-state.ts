import type { DatabaseSync } from './database.ts';
import { packStamps, unpackStamps, type Stamp } from './stamp.ts';

/** The state of the store when it was indexed. */
export interface IndexedState {
  /** Names of the loops' folders, sorted. */
  readonly folders: readonly string[];
  /** Packed stamps of the folders, in their order. */
  readonly stamps: Float64Array;
  /** Packed stamp of the folder of all reflections. */
  readonly root: Float64Array;
  /** Number of files. */
  readonly files: number;
  /** When every file was last compared, ms since 1970. */
  readonly swept: number;
}

/** Reads the state. Folders and their stamps are parsed on first access. Throws where the index is damaged. */
export function readIndexedState(database: DatabaseSync): IndexedState {
  const row = database.prepare('SELECT root, files, swept FROM seen').get() as
    (Record<'files' | 'swept', number> & { readonly root: Uint8Array }) | undefined;
  if (row === undefined) throw new Error('The index has no state of the store.');
  let folders: string[] | undefined;
  let stamps: Float64Array | undefined;
  const column = (name: 'folders' | 'stamps') =>
    database.prepare(`SELECT ${name} FROM seen`).get()![name] as unknown;
  return {
    // Lazy, since parsing many thousand folders takes longer than a query.
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

/** The state of a new index. */
export const EMPTY_STATE: IndexedState = {
  folders: [],
  stamps: new Float64Array(),
  root: new Float64Array(),
  files: 0,
  swept: 0,
};

/** Records that every file was compared and is unchanged. */
export function recordSweep(
  database: DatabaseSync,
  { root, swept }: { readonly root: Stamp; readonly swept: number },
): void {
  database.prepare('UPDATE seen SET root = ?, swept = ?').run(packStamps([root]), swept);
}

/** Writes the state; the last step of an update. */
export function writeIndexedState(
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

/** A loop's folder when it was indexed. */
export interface IndexedFolder {
  readonly name: string;
  /** File names. */
  readonly files: readonly string[];
  /** Packed stamps of the files, in their order. */
  readonly stamps: Float64Array;
}

interface FolderRow {
  readonly name: string;
  readonly files: string;
  readonly stamps: Uint8Array;
}

/** One folder; undefined where it is not indexed. */
export function readIndexedFolder(database: DatabaseSync, name: string): IndexedFolder | undefined {
  const row = database.prepare('SELECT * FROM folder WHERE name = ?').get(name) as FolderRow | undefined;
  return row === undefined ? undefined : toFolder(row);
}

/** All indexed folders, read one at a time. */
export function* indexedFolders(database: DatabaseSync): Iterable<IndexedFolder> {
  for (const row of database.prepare('SELECT * FROM folder').iterate())
    yield toFolder(row as unknown as FolderRow);
}

/** Stores a folder, replacing its former row. */
export function writeIndexedFolder(
  database: DatabaseSync,
  { name, files }: { readonly name: string; readonly files: ReadonlyMap<string, Stamp> },
): void {
  database
    .prepare('INSERT OR REPLACE INTO folder VALUES (?, ?, ?)')
    .run(name, JSON.stringify([...files.keys()]), packStamps([...files.values()]));
}

function toFolder({ name, files, stamps }: FolderRow): IndexedFolder {
  return { name, files: JSON.parse(files) as string[], stamps: unpackStamps(stamps) };
}
