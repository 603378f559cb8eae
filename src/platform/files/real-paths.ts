import { lstatSync, realpathSync, type PathLike, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Status of a path, not following a symbolic link; undefined if it does not exist, or a parent of it is a file. */
export function statOf(path: PathLike): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** True for a folder whose path contains no symbolic link. `path` is absolute and normalised. */
export function isRealFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true && realpathSync.native(path) === path;
}

/** True if the folder exists or can be created, and no part of its path is a symbolic link or a file. */
export function canBeRealFolder(path: string): boolean {
  if (isRealFolder(path)) return true;
  return statOf(path) === undefined && dirname(path) !== path && canBeRealFolder(dirname(path));
}
