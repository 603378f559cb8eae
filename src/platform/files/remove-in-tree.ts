import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from './real-paths.ts';

/**
 * Removes a file or folder of a tree that others write. Where a part of its path is a symbolic link, this link is removed and
 * what it leads to is left alone. `path` is relative to the absolute path `root`, without `..`.
 */
export function removeInTree(root: string, path: string): void {
  let at = root;
  for (const name of path.split('/')) {
    at = join(at, name);
    if (statOf(at)?.isSymbolicLink()) break;
  }
  rmSync(at, { recursive: true, force: true });
}
