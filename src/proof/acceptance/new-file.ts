import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';

/** A test file that was added to a root. */
export interface NewFile {
  readonly write: (text: string) => Promise<void>;
  /** Removes the file, its snapshots and the folders that were made for it, if these are empty. */
  readonly remove: () => Promise<void>;
}

/** Creates an empty file, with its folders. `path`: relative to the root. Rejects with the system's error if it exists. */
export async function createNewFile(root: string, path: string): Promise<NewFile> {
  const file = join(root, path);
  const folder = dirname(file);
  const snapshots = join(folder, '__snapshots__');
  const leftovers = [
    file,
    `${file}.snapshot`,
    join(snapshots, `${basename(file)}.snap`),
    join(snapshots, `${basename(file)}.snapshot`),
  ].filter((name) => !existsSync(name));
  const folders = [snapshots, ...foldersUpTo(root, folder)].filter((name) => !existsSync(name));
  const remove = async (): Promise<void> => {
    for (const name of leftovers) removeFromTree(root, name);
    // A folder that somebody else has put a file into stays.
    for (const name of folders) await rmdir(name).catch(() => {});
  };
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, '', { flag: 'wx' });
  } catch (error) {
    for (const name of folders) await rmdir(name).catch(() => {});
    throw error;
  }
  return { write: async (text) => writeInTree(root, path, text), remove };
}

/** Folders below the root, innermost first. */
function foldersUpTo(root: string, folder: string): string[] {
  return relative(root, folder) === '' ? [] : [folder, ...foldersUpTo(root, dirname(folder))];
}
