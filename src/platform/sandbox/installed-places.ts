import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Real path of a `node_modules` folder, and of the targets of links in it and its scopes. Empty if there is none. Links that
 * belong to the tree (`isTracked`, by absolute path) are left out, for they come from whoever wrote the tree.
 */
export function installedPlaces(folder: string, isTracked: (path: string) => boolean): string[] {
  if (!existsSync(folder) || isTracked(folder)) return [];
  return [realpathSync(folder), ...linkedFrom(folder, isTracked)];
}

function linkedFrom(folder: string, isTracked: (path: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@')) return linkedFrom(path, isTracked);
    return entry.isSymbolicLink() && existsSync(path) && !isTracked(path) ? [realpathSync(path)] : [];
  });
}
