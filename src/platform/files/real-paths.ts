import { lstatSync, realpathSync, type PathLike, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** What is at a path, a symbolic link as such; undefined where nothing is, or a file lies on the way to it. */
export function statOf(path: PathLike): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** True for a folder that no symbolic link is on the way to. `path` is absolute and normalised. */
export function isRealFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true && realpathSync.native(path) === path;
}

/** True where a folder of this path is there, or can be made, without a link or a file on the way. */
export function canBeRealFolder(path: string): boolean {
  if (isRealFolder(path)) return true;
  return statOf(path) === undefined && dirname(path) !== path && canBeRealFolder(dirname(path));
}
