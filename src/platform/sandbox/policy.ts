import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isFolder } from '../files/is-folder.ts';
import { RALPH_FOLDER } from '../ralph-folder.ts';
import { blankFiles, hiddenFolders, SYSTEM_DATA } from './hidden-places.ts';
import type { UsageLimits } from './limits.ts';
import { packagePlaces } from './package-places.ts';
import type { SandboxPolicy, Visible } from './sandbox.ts';
import { isInside, visible, visibleTools } from './visible-tools.ts';

/** A work tree and the repository that it belongs to. */
export interface WorkspacePlace {
  /** Absolute path. */
  readonly root: string;
  /** Absolute path of the user's repository: the same tree, or the one that `root` is a copy of. */
  readonly repository: string;
  /** Absolute real paths that `node_modules` leads to. Those that are no places of packages stay hidden. */
  readonly dependencies: readonly string[];
  /** Absolute paths of the object stores that the tree's git directory reads. */
  readonly objects?: readonly string[];
  /** Files and folders of the user's own tree that git runs or reads as configuration, relative to the root; read-only. */
  readonly closed?: readonly string[];
}

/** Exceptions that the user has configured. */
export interface PolicyOptions {
  readonly network: boolean;
  /** Names of environment variables. */
  readonly passEnv: readonly string[];
  /** Absolute paths, which exist. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Undefined: nothing is limited. */
  readonly limits?: UsageLimits | undefined;
}

/** Folders in `node_modules` that bundlers and test runners write. */
const CACHES = ['.cache', '.vite', '.vite-temp', '.vitest'];
/** Folders of packages in `node_modules` into which the packages write; the outer ones first. */
const WRITTEN_BY_PACKAGES = ['vitest/dist', 'vitest/dist/vendor', 'vitest/dist/chunks'];

/**
 * The policy for programs that work on a tree: they can write the tree, and read its dependencies and the installed
 * tools and the objects of the user's history; home folders, temporary folders and the rest of the user's repository are
 * empty. If the tree is the user's own, git's folder and the dependencies are read-only and ralph's state is empty.
 */
export function workspacePolicy(place: WorkspacePlace, options: PolicyOptions): SandboxPolicy {
  const root = realpathSync(place.root);
  const repository = realpathSync(place.repository);
  const isOwnTree = root === repository;
  const homes = hiddenFolders();
  const hide = [...homes, ...(isOwnTree ? ownState(root) : [repository])];
  const isHidden = ({ at }: Visible): boolean => hide.some((folder) => at !== folder && isInside(folder, at));
  const dependencies = place.dependencies.filter(packagePlaces([repository, root]));
  const installed = [...new Set(dependencies.map(installedIn))];
  const outside = installed.flatMap(visible).filter(({ at }) => !isInside(root, at));
  const closed = [...homes, repository, root];
  const objects = (place.objects ?? []).flatMap(visible);
  const system = SYSTEM_DATA.flatMap(visible);
  const opened = [
    ...visibleTools(closed),
    ...system,
    ...outside,
    ...objects,
    ...options.read.flatMap(visible),
  ].filter(isHidden);
  const own = isOwnTree ? ownTree(root, installed, place.closed) : { read: [], write: [] };
  return {
    write: [root, ...own.write, ...options.write.map((path) => realpathSync(path))],
    read: [...opened, ...own.read],
    scratch: installed.flatMap(scratchIn),
    hide,
    blank: blankFiles(
      hide,
      opened.map(({ from }) => from),
    ),
    network: options.network,
    passEnv: options.passEnv,
    limits: options.limits,
  };
}

/** With `--typecheck`, vitest writes the build info of the type checker beside its own code. */
function scratchIn(modules: string): string[] {
  const folders = WRITTEN_BY_PACKAGES.map((path) => join(modules, path));
  return folders.filter(isFolder).map((path) => realpathSync(path));
}

/** Creates the cache folders, because tools cannot create them in read-only dependencies. */
function ownTree(
  root: string,
  installed: readonly string[],
  more: readonly string[] = [],
): { read: Visible[]; write: string[] } {
  // A package of the workspace, to which its dependents link, is the user's own code.
  const isInstalled = (path: string): boolean => /(^|\/)node_modules(\/|$)/.test(relative(root, path));
  const modules = installed.filter((path) => isInside(root, path) && isFolder(path) && isInstalled(path));
  const caches = modules.flatMap((folder) => CACHES.map((name) => join(folder, name)));
  for (const cache of caches) mkdirSync(cache, { recursive: true });
  const further = more.map((path) => join(root, path));
  const names = [join(root, '.git'), join(root, dirname(RALPH_FOLDER)), ...modules, ...further];
  const closed = names.filter(existsSync).map((path) => realpathSync(path));
  const above = closed.flatMap((path) => foldersBetween(root, path));
  return { read: closed.map((path) => ({ from: path, at: path })), write: [...above, ...caches] };
}

/** Folders above a read-only path: as mounts they cannot be renamed, which would move the read-only path away. */
function foldersBetween(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== root && isInside(root, at); at = dirname(at)) folders.push(at);
  return folders;
}

function ownState(root: string): string[] {
  const state = join(root, RALPH_FOLDER);
  return isFolder(state) ? [realpathSync(state)] : [];
}

/** The outermost `node_modules` of an installed package, which contains everything that it imports. */
function installedIn(path: string): string {
  return /^.*?\/node_modules(?=\/|$)/s.exec(path)?.[0] ?? path;
}
