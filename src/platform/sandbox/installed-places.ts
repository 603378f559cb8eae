import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Real path of a `node_modules` folder, and of the targets of links in it and its scopes. Empty if there is none. */
export function installedPlaces(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return [realpathSync(folder), ...linkedFrom(folder)];
}

function linkedFrom(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@')) return linkedFrom(path);
    return entry.isSymbolicLink() && existsSync(path) ? [realpathSync(path)] : [];
  });
}
