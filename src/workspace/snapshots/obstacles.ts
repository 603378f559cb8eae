import { lstat, opendir } from 'node:fs/promises';
import { posix } from 'node:path';
import { LONGEST_PATH } from '../remove-deep-folders.ts';

/** Files that git add cannot get past in a reasonable time. Paths are relative to the root. */
export interface Obstacles {
  /** Rule files that are pipes or devices: git waits for them without end. */
  readonly endless: readonly string[];
  /** Regular files of more than `MAX_FILE_BYTES`, holes included. */
  readonly huge: readonly string[];
  /** The outermost folders with a path that is longer than `LONGEST_PATH`. */
  readonly deep: readonly string[];
}

/** Larger files are not part of a snapshot. */
export const MAX_FILE_BYTES = 4 * 2 ** 30;

const RULES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes']);
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Looks for obstacles in a tree, without `node_modules` and git's folders. Links are not followed; what cannot be read is
 * left out. Never rejects. Ends early when the signal aborts.
 */
export async function findObstacles(root: string, signal: AbortSignal): Promise<Obstacles> {
  const endless: string[] = [];
  const huge: string[] = [];
  const deep: string[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined && !signal.aborted; folder = open.pop()) {
    for (const { name, isFolder, isFile } of await entriesOf(posix.join(root, folder))) {
      const path = posix.join(folder, name);
      if (isFolder && !LEFT_OUT.has(name)) (path.length > LONGEST_PATH ? deep : open).push(path);
      if (!isFolder && !isFile && RULES.has(name) && (await isSpecial(posix.join(root, path))))
        endless.push(path);
      if (isFile && (await sizeOf(posix.join(root, path))) > MAX_FILE_BYTES) huge.push(path);
    }
  }
  return { endless, huge, deep };
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

async function entriesOf(folder: string): Promise<Entry[]> {
  try {
    const entries: Entry[] = [];
    for await (const entry of await opendir(folder))
      entries.push({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() });
    return entries;
  } catch {
    return [];
  }
}

/** True for a pipe, a socket or a device; git does not follow a link at this place. */
async function isSpecial(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => !found.isFile() && !found.isDirectory() && !found.isSymbolicLink(),
    () => false,
  );
}

async function sizeOf(path: string): Promise<number> {
  return lstat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
