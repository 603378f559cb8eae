import { posix } from 'node:path';
import { isNamedTest } from './protected-paths.ts';

/** Endings by which a module may be found under a name without an ending, or with another one. */
const MODULE = /\.([cm]?[jt]sx?|json|node)$/;
const INDEX = /\/(index\.([cm]?[jt]sx?|json|node)|package\.json)$/;

/** True if a new file at this path could be loaded in place of another one. */
export function mayShadow(path: string): boolean {
  return MODULE.test(path) && !isNamedTest(path);
}

/**
 * Tells whether a new file could be loaded in place of one of these: `golden.js` of `golden.json`, `helper.js` of `helper.ts`,
 * `helper/index.js` of `helper.ts`. A file that is a test by its own name is found by its whole name, so it has no shadow.
 */
export function shadowsOf(files: readonly string[]): (path: string) => boolean {
  const paths = new Set(files);
  const stems = new Set(files.filter(mayShadow).map(stemOf));
  return (path) =>
    mayShadow(path) &&
    !paths.has(path) &&
    (stems.has(stemOf(path)) || (INDEX.test(path) && stems.has(posix.dirname(path))));
}

function stemOf(path: string): string {
  return path.replace(MODULE, '');
}
