import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Folders that builds write; `lib` holds sources as often. */
const BUILT = ['dist', 'build', 'out', 'esm', 'cjs'];

/**
 * True for a source of which the tree may hold a built copy: tests that import the copy run its code, but not its file. `file` is
 * relative to the root.
 */
export function mayBeBuilt(root: string, file: string): boolean {
  const names = /\.[cm]?tsx?$/.test(file) ? [...BUILT, 'lib'] : BUILT;
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const isIn = (name: string): boolean => file.startsWith(posix.join(folder, name, '/'));
    if (names.some((name) => !isIn(name) && existsSync(join(root, folder, name)))) return true;
    if (folder === '.' || folder === '/') return false;
  }
}
