import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { printable } from '../../platform/text/printable.ts';

/** A path that a model gave, after every refusal. */
export interface Place {
  /** Absolute path, links not followed. */
  readonly absolute: string;
  /** Relative to the workspace's root. */
  readonly path: string;
  /** How results name it: `path`, or relative to the package folder where `path` would mean another file there. */
  readonly shown: string;
  readonly exists: boolean;
}

export interface PathOptions {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Folder of the package, relative to the root. */
  readonly cwd: string;
}

const NOT_KEPT = new Set(['.git', '.aiwg', 'node_modules']);

/**
 * The place that a path means: from the package folder where that exists, else from the root. Throws an Error
 * that names the remedy for what lies outside of the root, by spelling or through links. What is installed
 * below `node_modules` may be read wherever it really lies.
 */
export function placeOf(path: string, use: 'read' | 'write', options: PathOptions): Place {
  const given = printable(path);
  if (path.includes('\0')) throw new Error(`${given} is no path: it has a NUL character.`);
  if (path.trim() === '')
    throw new Error('path is empty; give the path of a file relative to the repository.');
  const absolute = choose(candidates(path, options), path, options);
  if (absolute === undefined) throw outside(given);
  const real = realPlace(absolute, given);
  const realRoot = realpathSync(options.root);
  const place = relative(options.root, absolute);
  const realInside = relative(realRoot, real);
  if (leadsOut(realInside) && !(use === 'read' && isDependency(place, real))) throw outside(given);
  if (use === 'write' && [place, realInside].some(isNotKept)) {
    throw new Error(`${given} cannot be written: what is in .git, .aiwg and node_modules is not kept.`);
  }
  return {
    absolute,
    path: toSlashes(place) || '.',
    shown: shownPath(absolute, options),
    exists: statOf(absolute) !== undefined,
  };
}

/** An absolute path below the root as results name it; see `Place.shown`. */
export function shownPath(absolute: string, { root, cwd }: PathOptions): string {
  const path = relative(root, absolute);
  const folder = join(root, cwd);
  const isTaken = folder !== join(root) && path !== '' && statOf(join(folder, path)) !== undefined;
  return printable(toSlashes(isTaken ? relative(folder, absolute) : path)) || '.';
}

/** The entry itself; undefined where there is none. */
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

/** Where links lead to; for what does not exist, where it would be made. */
function realPlace(absolute: string, given: string): string {
  let existing = absolute;
  while (statOf(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  try {
    return join(realpathSync(existing), relative(existing, absolute));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new Error(`${given} is or goes through a link that leads nowhere.`, { cause: error });
    if (code === 'ELOOP')
      throw new Error(`${given} is or goes through a link that leads to itself.`, { cause: error });
    throw error;
  }
}

function leadsOut(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function isDependency(place: string, real: string): boolean {
  return [place, real].every((path) => path.split(sep).includes('node_modules'));
}

function isNotKept(path: string): boolean {
  return path.split(sep).some((part) => NOT_KEPT.has(part.toLowerCase()));
}

function outside(given: string): Error {
  return new Error(`${given} is outside the repository; give a path relative to its root.`);
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
