import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Far below the limit of the system (4,096 bytes): git takes minutes for a folder 1,000 folders deep. In bytes. */
export const LONGEST_PATH = 1_000;

/**
 * Removes the folders of a tree whose path, relative to the root, is longer than `LONGEST_PATH`, with all that they hold,
 * at any depth: git and Node cannot remove these. `root` is an absolute path of usual length. Links are not followed.
 * Throws if a folder cannot be moved.
 */
export function removeDeepFolders(root: string): void {
  const aside = mkdtempSync(join(root, '.ralph-deep-'));
  const open = foldersIn(root).map((name) => join(root, name));
  let moved = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const isDeep = folder.length - root.length > LONGEST_PATH;
    const at = isDeep ? join(aside, String(++moved)) : folder;
    if (isDeep) renameSync(folder, at);
    open.push(...foldersIn(at).map((name) => join(at, name)));
  }
  rmSync(aside, { recursive: true, force: true });
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
