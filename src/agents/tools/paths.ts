import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { printable } from '../../platform/text/printable.ts';

/** A path from the model, resolved and checked. */
export interface Place {
  /** Absolute path; links are not resolved. */
  readonly absolute: string;
  /** Relative to the root of the workspace. */
  readonly path: string;
  /** The path in results: `path`, or relative to the package folder if `path` names another file there. */
  readonly shown: string;
  readonly exists: boolean;
}

export interface PathOptions {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Folder of the package, relative to the root. */
  readonly cwd: string;
}

const DISCARDED = new Set(['.git', '.aiwg', 'node_modules']);

/**
 * Resolves a path relative to the package folder, or to the root if it exists only there. Throws an Error with a
 * remedy if the path, or a link on the way, leads out of the root. Installed packages in `node_modules` may be read
 * through links to other folders.
 */
export function placeOf(path: string, use: 'read' | 'write', options: PathOptions): Place {
  const given = printable(path);
  if (path.includes('\0')) throw new Error(`${given} is not a path: it has a NUL character.`);
  if (path.trim() === '')
    throw new Error('path is empty; give the path of a file relative to the repository.');
  const absolute = choose(candidates(path, options), path, options);
  if (absolute === undefined) throw outside(given);
  const real = resolveLinks(absolute, given);
  const realRoot = realpathSync(options.root);
  const place = relative(options.root, absolute);
  const realInside = relative(realRoot, real);
  if (leadsOut(realInside) && !(use === 'read' && isDependency(place, real))) throw outside(given);
  if (use === 'write' && [place, realInside].some(isDiscarded)) {
    throw new Error(`${given} cannot be written: changes in .git, .aiwg and node_modules are discarded.`);
  }
  return {
    absolute,
    path: toSlashes(place) || '.',
    shown: shownPath(absolute, options),
    exists: statOf(absolute) !== undefined,
  };
}

/** An absolute path below the root in the form of `Place.shown`. */
export function shownPath(absolute: string, { root, cwd }: PathOptions): string {
  const path = relative(root, absolute);
  const folder = join(root, cwd);
  const isTaken = folder !== join(root) && path !== '' && statOf(join(folder, path)) !== undefined;
  return printable(toSlashes(isTaken ? relative(folder, absolute) : path)) || '.';
}

/** The stat of the entry itself, links not followed; undefined if it does not exist. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function candidates(path: string, { root, cwd }: PathOptions): string[] {
  if (!isAbsolute(path)) return [join(root, cwd, path), join(root, path)];
  const roots = [root, realpathSync(root)];
  return roots
    .map((one) => relative(one, path))
    .flatMap((rest) => (leadsOut(rest) ? [] : [join(root, rest)]));
}

function choose(all: readonly string[], path: string, { root, cwd }: PathOptions): string | undefined {
  const inside = all.filter((absolute) => !leadsOut(relative(root, absolute)));
  const existing = inside.find((absolute) => statOf(absolute) !== undefined);
  if (existing !== undefined || inside.length < 2) return existing ?? inside[0];
  const [fromPackage, fromRoot] = inside as [string, string];
  if (toSlashes(join(path)).startsWith(`${toSlashes(join(cwd))}/`)) return fromRoot;
  const hasFolder = (absolute: string): boolean => statOf(dirname(absolute)) !== undefined;
  return hasFolder(fromRoot) && !hasFolder(fromPackage) ? fromRoot : fromPackage;
}

/** The path with links resolved; for a missing file, the path at which it would be created. */
function resolveLinks(absolute: string, given: string): string {
  let existing = absolute;
  while (statOf(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  try {
    return join(realpathSync(existing), relative(existing, absolute));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`${given} is or goes through a broken link.`, { cause: error });
    if (code === 'ELOOP') throw new Error(`${given} is or goes through a link to itself.`, { cause: error });
    throw error;
  }
}

function leadsOut(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function isDependency(place: string, real: string): boolean {
  return [place, real].every((path) => path.split(sep).includes('node_modules'));
}

function isDiscarded(path: string): boolean {
  return path.split(sep).some((part) => DISCARDED.has(part.toLowerCase()));
}

function outside(given: string): Error {
  return new Error(`${given} is outside the repository; give a path relative to its root.`);
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
