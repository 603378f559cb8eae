import { isAbsolute, join, relative, sep } from 'node:path';
import type { PathOptions } from './paths.ts';
import type { Scan } from './scan.ts';

const MAX_GLOB_CHARS = 500;

/**
 * The glob for files below a folder. It may be relative to that folder, to the package folder or to the root of the
 * workspace. Throws an Error for a glob that is too long.
 */
export function resolveGlob(
  glob: string,
  folder: string,
  { root, cwd }: PathOptions,
): Pick<Scan, 'glob' | 'prefixes'> {
  if (glob.length > MAX_GLOB_CHARS)
    throw new Error(`glob is longer than ${MAX_GLOB_CHARS} characters; shorten it.`);
  const bases = [folder, join(root, cwd), root].map((base) => relative(base, folder).replaceAll(sep, '/'));
  const prefixes = bases
    .filter((base) => !base.startsWith('..'))
    .map((base) => (base === '' ? '' : `${base}/`));
  return { glob: isAbsolute(glob) ? fromRoot(glob, root) : glob, prefixes: [...new Set(prefixes)] };
}

function fromRoot(glob: string, root: string): string {
  return glob.startsWith(`${root}/`) ? glob.slice(root.length + 1) : glob;
}
