import { posix } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { isNamedTest } from './protected-paths.ts';

/** Endings by which a module may be found under a name without an ending, or with another one. */
const MODULE = /\.([cm]?[jt]sx?|json|node)$/;
const INDEX = /\/(index\.([cm]?[jt]sx?|json|node)|package\.json)$/;

/** True if a new file at this path could be loaded in place of another one. */
function mayShadow(path: string): boolean {
  return MODULE.test(path) && !isNamedTest(path);
}

/** True for a file that could be loaded in place of another one, also one without an ending. */
export function mayBeLoaded(path: string): boolean {
  return mayShadow(path) || !posix.basename(path).includes('.');
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

const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const MAX_FILES = 2_000;

/** New code, and the files of the base that are still there. Paths are relative to the root. */
export interface NewCode {
  readonly added: readonly string[];
  readonly kept: readonly string[];
}

/**
 * New code that is loaded in place of code of the base, because a file of the base imports that without its ending: a test
 * runner and the product's users may then load two different files. And new files that are found before data of the base,
 * or without an ending before any file, under a name that a file of the base imports.
 */
export async function twinsOfImported(
  { added, kept }: NewCode,
  base: TreeId,
  snapshots: Snapshots,
): Promise<readonly string[]> {
  const code = kept.filter((path) => CODE.test(path));
  const stems = new Set(
    code.flatMap((path) => [stemOf(path), ...(INDEX.test(path) ? [posix.dirname(path)] : [])]),
  );
  const isTwin = shadowsOf(code);
  const twins = added.filter(
    (path) => stems.has(path) || (CODE.test(path) && (isTwin(path) || stems.has(stemOf(path)))),
  );
  const known = new Set(
    kept.flatMap((path) => [stemOf(path), ...(INDEX.test(path) ? [posix.dirname(path)] : [])]),
  );
  const data = added
    .filter((path) => mayBeLoaded(path) && (known.has(stemOf(path)) || INDEX.test(path)))
    .flatMap((path) => namesTaken(path, kept).map((name) => ({ path, name })));
  if (twins.length === 0 && data.length === 0) return [];
  const entries = (await snapshots.listFiles(base)).filter(({ path }) => CODE.test(path)).slice(0, MAX_FILES);
  const texts = await snapshots.readBlobs(entries.map(({ id }) => id));
  const all = [...texts.values()].map(String).join('\n');
  const wanted =
    data.length === 0 ? [] : entries.flatMap(({ path, id }) => imported(path, String(texts.get(id))));
  const taken = data.filter(({ name }) => wanted.some((it) => it.test(name))).map(({ path }) => path);
  const loaded = twins.filter((path) => {
    const stem = stemOf(path);
    const names = [path, stem, ...(posix.basename(stem) === 'index' ? [posix.dirname(stem)] : [])];
    return names.some((name) => new RegExp(`[/'"\`]${escapeRegExp(posix.basename(name))}/?['"\`]`).test(all));
  });
  return [...new Set([...loaded, ...taken])];
}

/** Endings in the order in which resolvers try them: code, of whatever kind, before data before add-ons, and folders last. */
const ORDER = [
  ...[/^$/, /^\.[cm]?[jt]sx?$/, /^\.json$/, /^\.node$/],
  ...[/^\/index\.[cm]?[jt]sx?$/, /^\/index\.json$/, /^\/index\.node$/],
];

/** The names without an ending by which a new file is found before a file that is there. */
function namesTaken(path: string, files: readonly string[]): string[] {
  const stem = stemOf(path);
  const names = new Set([path, stem, posix.basename(stem) === 'index' ? posix.dirname(stem) : stem]);
  const rankOf = (file: string, name: string): number =>
    file.startsWith(name) ? ORDER.findIndex((end) => end.test(file.slice(name.length))) : -1;
  return [...names].filter((name) => {
    const own = rankOf(path, name);
    return own >= 0 && files.some((file) => rankOf(file, name) > own) && !files.includes(name);
  });
}

const IMPORTED =
  /(?:\bfrom|\bimport|\brequire(?:\.\w+)?|\w*[mM]ock|createRequire\([^()]*\))\s*\(?\s*(['"`])([^'"`\n]+)\1/g;

/** Patterns of the paths that a text imports. An alias, such as `@/`, may stand for any folder. */
function imported(file: string, text: string): RegExp[] {
  return [...text.matchAll(IMPORTED)].flatMap(([, , name]) => {
    if (name!.startsWith('.'))
      return [new RegExp(`^${escapeRegExp(posix.join(posix.dirname(file), name!).replace(/\/$/, ''))}$`)];
    const rest = /^(?:@|~|#[^/]*)\/(.+)$/.exec(name!)?.[1];
    return rest === undefined ? [] : [new RegExp(`(^|/)${escapeRegExp(rest)}$`)];
  });
}

function stemOf(path: string): string {
  return path.replace(MODULE, '');
}
