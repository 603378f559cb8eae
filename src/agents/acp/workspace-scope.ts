import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A checked path. `reason` completes the sentence "The path is …". */
export type Place =
  { readonly allowed: true; readonly path: string } | { readonly allowed: false; readonly reason: string };

/** The part of the file system that an agent can access through ralph. */
export interface WorkspaceScope {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Absolute path of the agent's working directory. */
  readonly cwd: string;
  /** The real path for reading, which may be in packages that the workspace links from the user's repository. */
  toRead(path: string): Place;
  /** The real path for writing, which need not exist yet. */
  toWrite(path: string): Place;
  /** The path for display: relative to the root with `/`, or unchanged if it is outside. */
  shown(path: string): string;
}

/** Version control and ralph's own records. */
const CLOSED_FOLDERS = new Set(['.git', '.aiwg']);
const PACKAGES = 'node_modules';

/** All paths are absolute. `repository` is the user's, from which installed packages are linked. */
export function createScope(options: {
  readonly root: string;
  readonly cwd: string;
  readonly repository: string;
}): WorkspaceScope {
  const { root, cwd } = options;
  const realRoot = realpathSync(root);
  const realRepository = realPathOf(options.repository) ?? options.repository;

  const judge = (path: string, mayReadPackages: boolean): Place => {
    if (path.includes('\0')) return refuse('not a path');
    const absolute = resolve(cwd, path);
    const inside = within(root, absolute) ?? within(realRoot, absolute);
    if (inside === undefined) return refuse('outside the workspace');
    if (isClosed(inside)) return refuse('closed to agents');
    const real = realPathOf(join(realRoot, inside));
    if (real === undefined) return refuse('a broken link');
    const realInside = within(realRoot, real);
    if (realInside !== undefined) {
      return isClosed(realInside) ? refuse('closed to agents') : { allowed: true, path: real };
    }
    const packaged = within(realRepository, real);
    const isPackage = isInPackages(inside) && packaged !== undefined && isInPackages(packaged);
    if (mayReadPackages && isPackage) return { allowed: true, path: real };
    return refuse('a link to a place outside the workspace');
  };

  return {
    root,
    cwd,
    toRead: (path) => judge(path, true),
    toWrite: (path) => judge(path, false),
    shown(path) {
      const absolute = resolve(cwd, path);
      return (within(root, absolute) ?? within(realRoot, absolute) ?? path).replaceAll(sep, '/');
    },
  };
}

function refuse(reason: string): Place {
  return { allowed: false, reason };
}

/** The path relative to the folder; undefined if it is outside. */
function within(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside;
}

function isClosed(path: string): boolean {
  return path.split(sep).some((name) => CLOSED_FOLDERS.has(name.toLowerCase()));
}

function isInPackages(path: string): boolean {
  return path.split(sep).includes(PACKAGES);
}

/** The path with links resolved, missing parts kept; undefined if a link is broken. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (exists(path) || dirname(path) === path) return undefined;
    const folder = realPathOf(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
