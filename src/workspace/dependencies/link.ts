import {
  constants,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { planLinks, trackedEntries, type DependencyLink, type LinkRoots } from './plan.ts';
import { movedMap } from './moved-map.ts';
import { isRealFolder, statOf } from '../../platform/files/real-paths.ts';

/** Links from a workspace to the user's installed dependencies. */
export interface LinkedDependencies {
  /** Number of links and copies. */
  readonly count: number;
  /** Absolute real paths that are linked or copied. */
  readonly targets: readonly string[];
  /** Restores every link that is missing or changed; returns their number. */
  repair(): number;
}

export interface LinkRequest extends LinkRoots {
  /** Every file of the base tree, relative to its root. */
  readonly files: readonly string[];
  /** `node_modules` folders of the user's tree, relative to its root. */
  readonly folders: readonly string[];
  /** Absolute path of another workspace of the repository, which may have the same links. */
  readonly alike?: string | undefined;
}

/**
 * Links a workspace to the user's installed dependencies. Each `node_modules` is a real folder with one link per entry, so
 * that caches and new packages stay in the workspace, and packages of a monorepo resolve to the workspace's own copy.
 * Entries of an earlier loop are removed. A program that writes into a linked package writes into the user's copy.
 */
export function linkDependencies(request: LinkRequest): LinkedDependencies {
  const { workspace, files } = request;
  // A link of the tree itself is as the tree has it.
  const folders = request.folders.filter((folder) => !files.includes(folder));
  const links = planLinks(request, folders, files);
  // A copy of a folder is made anew: the user may have installed another version.
  const kept = links.filter(({ kind }) => kind !== 'folder').map(({ path }) => path);
  const wanted = new Set([...trackedEntries(files), ...kept]);
  for (const folder of folders) prune(workspace, folder, wanted);
  const repair = (): number => {
    const hasHost = hostsIn(workspace);
    const isReal = realFoldersIn(workspace);
    const broken = links.filter(
      (link) => hasHost(link) && !(isReal(posix.dirname(link.path)) && isInPlace(workspace, link)),
    );
    const ready = new Set<string>();
    for (const link of broken) {
      const folder = posix.dirname(link.path);
      if (!ready.has(folder)) makeRealFolder(workspace, folder);
      ready.add(folder);
      if (!isShared(request, link)) place(workspace, link);
    }
    return broken.length;
  };
  repair();
  return { count: links.length, targets: links.map(({ target }) => target), repair };
}

/** Tests whether a folder of the workspace is reached without a symbolic link. */
function realFoldersIn(workspace: string): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  return (folder) => {
    if (!known.has(folder)) known.set(folder, isRealFolder(join(workspace, folder)));
    return known.get(folder)!;
  };
}

/** Tests whether the folder that contains the `node_modules` still exists; the actor may have removed it. */
function hostsIn(workspace: string): (link: DependencyLink) => boolean {
  const known = new Map<string, boolean>();
  return ({ path }) => {
    const host = join(workspace, path.replace(/(^|\/)(node_modules|\.yarn|\.pnp\.[^/]*)(\/.*)?$/s, ''));
    if (!known.has(host)) known.set(host, isRealFolder(host));
    return known.get(host)!;
  };
}

/** Removes entries that are neither planned nor tracked; descends into scopes and stores that contain a wanted entry. */
function prune(workspace: string, folder: string, wanted: ReadonlySet<string>): void {
  const absolute = join(workspace, folder);
  if (!isRealFolder(absolute)) return;
  for (const entry of readdirSync(absolute, { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (wanted.has(path)) continue;
    const isGroup = entry.isDirectory() && hasWantedInside(wanted, path);
    if (isGroup) prune(workspace, path, wanted);
    else rmSync(join(workspace, path), { recursive: true, force: true });
  }
}

function hasWantedInside(wanted: ReadonlySet<string>, folder: string): boolean {
  return [...wanted].some((path) => path.startsWith(`${folder}/`));
}

function isInPlace(workspace: string, { path, target, kind }: DependencyLink): boolean {
  const at = join(workspace, path);
  const found = statOf(at);
  if (found === undefined) return false;
  if (kind === 'link') return found.isSymbolicLink() && readlinkSync(at) === target;
  if (kind === 'folder') return found.isDirectory();
  const source = statSync(target, { throwIfNoEntry: false });
  if (source === undefined) return true;
  if (kind === 'map') return found.isFile() && readTreeTextSync(at) === movedMap(target, at);
  return found.isFile() && found.size === source.size && found.mtimeMs >= source.mtimeMs;
}

/**
 * Gives a symbolic link of the other workspace a second name in this one: nothing is written into such a link, so that both
 * may have it. For hundreds of packages this is many times faster than new links where files were removed shortly before
 * (ext4). False if that is not possible; elsewhere than on Linux, the name would be one of the user's own file.
 */
function isShared({ workspace, alike }: LinkRequest, { path, target, kind }: DependencyLink): boolean {
  if (alike === undefined || kind !== 'link' || process.platform !== 'linux') return false;
  const at = join(workspace, path);
  try {
    linkSync(join(alike, path), at);
  } catch {
    return false;
  }
  // A program that runs there may have put something else in its place.
  return isTo(target, at);
}

function isTo(target: string, at: string): boolean {
  try {
    return readlinkSync(at) === target;
  } catch {
    return false;
  }
}

/** Places a link, in a real folder. */
function place(workspace: string, { path, target, kind }: DependencyLink): void {
  const at = join(workspace, path);
  // In a new workspace nothing is in its place.
  if (kind === 'link' && isLinked(target, at)) return;
  rmSync(at, { recursive: true, force: true });
  if (kind === 'link') symlinkSync(target, at);
  else if (kind === 'copy') copyFileSync(target, at);
  else if (kind === 'map') writeFileSync(at, movedMap(target, at));
  else cpSync(target, at, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

/** Makes a link; false if something has its name already. */
function isLinked(target: string, at: string): boolean {
  try {
    symlinkSync(target, at);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes every part of a path in the workspace a folder, and removes symbolic links and files in its place: a write through a
 * link would leave the workspace.
 */
function makeRealFolder(workspace: string, path: string): void {
  if (path === '.') return;
  makeRealFolder(workspace, posix.dirname(path));
  const folder = join(workspace, path);
  const found = statOf(folder);
  if (found?.isDirectory()) return;
  if (found !== undefined) rmSync(folder);
  mkdirSync(folder);
}
