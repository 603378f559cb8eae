import { realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readTreeTextSync } from './read-bounded.ts';

const MAX_BYTES = 1_000_000;

/** The lines of a file of a tree; undefined for one that does not exist, is too large or lies outside of it. Never throws. */
export function linesInTree(root: string, file: string): readonly string[] | undefined {
  try {
    const path = join(root, file);
    const real = realpathSync(path);
    const isInside = real.startsWith(`${realpathSync(root)}${sep}`) && dirname(path) !== path;
    if (!isInside || !statSync(real).isFile() || statSync(real).size > MAX_BYTES) return undefined;
    return readTreeTextSync(real).split('\n');
  } catch {
    return undefined;
  }
}
