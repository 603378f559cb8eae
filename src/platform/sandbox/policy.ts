import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RALPH_FOLDER } from '../ralph-folder.ts';
import { blankFiles, hiddenFolders } from './hidden-places.ts';
import type { SandboxPolicy, Visible } from './sandbox.ts';
import { isInside, visible, visibleTools } from './visible-tools.ts';

/** A tree that is worked on, and where it comes from. */
export interface WorkspacePlace {
  /** Absolute path. */
  readonly root: string;
  /** Absolute path of the user's repository: the same tree, or the one that `root` is a copy of. */
  readonly repository: string;
  /** Absolute real paths of installed packages, or of folders of them. */
  readonly dependencies: readonly string[];
}

/** What the user opens. */
export interface PolicyOptions {
  readonly network: boolean;
  /** Names of variables. */
  readonly passEnv: readonly string[];
  /** Absolute paths, which are there. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Written beside the dependencies by bundlers and test runners. */
const CACHES = ['.cache', '.vite', '.vite-temp', '.vitest'];

/**
 * What programs that work on a tree may do: write the tree, read its dependencies and the installed tools, and
 * find homes, temporary folders and the rest of the user's repository empty. Where the tree is the user's own,
 * git's folder and the dependencies are read-only and ralph's state is empty.
 */
export function workspacePolicy(place: WorkspacePlace, options: PolicyOptions): SandboxPolicy {
  const root = realpathSync(place.root);
  const repository = realpathSync(place.repository);
  const isOwnTree = root === repository;
  const homes = hiddenFolders();
  const hide = [...homes, ...(isOwnTree ? ownState(root) : [repository])];
  const isHidden = ({ at }: Visible): boolean => hide.some((folder) => at !== folder && isInside(folder, at));
  const installed = [...new Set(place.dependencies.map(installedIn))];
  const outside = installed.flatMap(visible).filter(({ at }) => !isInside(root, at));
  const closed = [...homes, repository, root];
  const opened = [...visibleTools(closed), ...outside, ...options.read.flatMap(visible)].filter(isHidden);
  const own = isOwnTree ? ownTree(root, installed) : { read: [], write: [] };
  return {
    write: [root, ...own.write, ...options.write.map((path) => realpathSync(path))],
    read: [...opened, ...own.read],
    hide,
    blank: blankFiles(
      hide,
      opened.map(({ from }) => from),
    ),
    network: options.network,
    passEnv: options.passEnv,
  };
}

/** Folders that the caches of tools are kept in are made, where they cannot be made later. */
function ownTree(root: string, installed: readonly string[]): { read: Visible[]; write: string[] } {
  const modules = installed.filter((path) => isInside(root, path) && isFolder(path));
  const caches = modules.flatMap((folder) => CACHES.map((name) => join(folder, name)));
  for (const cache of caches) mkdirSync(cache, { recursive: true });
  const names = [join(root, '.git'), join(root, dirname(RALPH_FOLDER)), ...modules];
  const closed = names.filter(existsSync).map((path) => realpathSync(path));
  const above = closed.flatMap((path) => foldersBetween(root, path));
  return { read: closed.map((path) => ({ from: path, at: path })), write: [...above, ...caches] };
}

/** A folder that is mounted cannot be renamed, and what is closed in it cannot be put aside with it. */
function foldersBetween(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== root && isInside(root, at); at = dirname(at)) folders.push(at);
  return folders;
}

function ownState(root: string): string[] {
  const state = join(root, RALPH_FOLDER);
  return isFolder(state) ? [realpathSync(state)] : [];
}

/** The outermost `node_modules` of an installed package holds all that it needs. */
function installedIn(path: string): string {
  return /^.*?\/node_modules(?=\/|$)/s.exec(path)?.[0] ?? path;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
