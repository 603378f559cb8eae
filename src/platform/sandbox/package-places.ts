import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolders } from '../processes/own-user.ts';
import { isInside } from './visible-tools.ts';

/** What package managers leave in a folder of packages, whatever its name is. */
const LEFT_BY_MANAGERS = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/**
 * Tests whether an absolute real path is a place of installed packages: an entry of `node_modules` can be a link to anything.
 * It is one if it lies in one of `own` (the repository and its workspace), in a folder named `node_modules` or in one that a
 * package manager wrote, or in a package that is developed elsewhere (`npm link`), which has a package.json. A folder that
 * contains the user's home or one of `own` is none.
 */
export function packagePlaces(own: readonly string[]): (path: string) => boolean {
  const narrower = [...own, ...homeFolders().flatMap(realPathOf)];
  const isTooWide = (path: string): boolean => narrower.some((inner) => isInside(path, inner));
  const isPackage = (path: string): boolean => {
    for (let folder = path; !isTooWide(folder); folder = dirname(folder))
      if (isThere(join(folder, 'package.json'))) return true;
    return false;
  };
  return (path) =>
    own.some((folder) => isInside(folder, path)) ||
    /\/(node_modules|\.yarn)(\/|$)/.test(path) ||
    (!isTooWide(path) && LEFT_BY_MANAGERS.some((name) => isThere(join(path, name)))) ||
    isPackage(path);
}

function realPathOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
