import { existsSync, lstatSync, readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { foreignProgram } from './foreign-programs.ts';

/** Folders in which package managers store packages. Other folders that begin with a dot belong to tools. */
export const STORES = new Set(['.pnpm', '.bun', '.store']);

export interface WatchedPackages {
  /** Absolute path of the user's repository. */
  readonly repository: string;
  /** `node_modules` folders, relative to the repository. */
  readonly folders: readonly string[];
  /** In milliseconds since the epoch. */
  readonly sinceMs: number;
  /** A package manager seems to have run since: what it wrote counts as its own. */
  readonly mayBeInstalled: boolean;
  /** After so many files and folders in each of them the look ends. Default: all. */
  readonly mostEntries?: number;
  /** Names of packages to look at before the others. */
  readonly first?: readonly string[];
}

/** Files that Node loads by themselves. */
const LOADED = /\.(?:[cm]?js|node)$|(?:^|\/)package\.json$/;
/** Of these, the ones that no build writes into a package that is there already. */
const AUTHORED = /^(?!.*\/(?:build|prebuilds)\/).*(?:\.[cm]?js|\/package\.json)$/;

/**
 * The first file of an installed package that was changed since a time, or a new one that a program loads: tools leave other new
 * files beside their code. Of a file with several names, as pnpm makes them, the content must be newer: the time of its facts also
 * changes when another folder links it. So does a folder or a package that is a link to elsewhere since then, and a program that
 * belongs to no package. A package that a
 * package manager has installed since, with its package.json, counts as it is.
 */
export function changedPackage(watched: WatchedPackages): string | undefined {
  for (const installed of watched.folders) {
    const look = { ...watched, installed, left: watched.mostEntries ?? Infinity };
    const found =
      newLink(installed, look) ??
      foreignProgram(watched.repository, installed, watched.sinceMs) ??
      changedFirst(look) ??
      changedIn(installed, look);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Look extends WatchedPackages {
  /** The `node_modules` folder in which the look began. */
  readonly installed: string;
  left: number;
}

function changedFirst(look: Look): string | undefined {
  for (const name of look.first ?? []) {
    const path = posix.join(look.installed, name);
    const isLink = statAt(join(look.repository, path))?.isSymbolicLink() === true;
    const found = isLink ? newLink(path, look) : changedOne(path, look);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same in a folder of packages, and in its scopes and stores. */
function changedIn(folder: string, look: Look): string | undefined {
  for (const entry of entriesOf(join(look.repository, folder))) {
    if (--look.left < 0) return undefined;
    const found = changedAt(entry, posix.join(folder, entry.name), look);
    if (found !== undefined) return found;
  }
  return undefined;
}

function changedAt(entry: Dirent, path: string, look: Look): string | undefined {
  if (entry.isSymbolicLink()) return newLink(path, look);
  if (!entry.isDirectory()) return undefined;
  if (STORES.has(entry.name)) return changedInStore(path, look);
  if (entry.name.startsWith('@')) return changedIn(path, look);
  if (entry.name.startsWith('.')) return undefined;
  return changedOne(path, look);
}

function changedOne(path: string, look: Look): string | undefined {
  return writtenIn(path, look, look.mayBeInstalled && isInstalledAnew(path, look));
}

function changedInStore(store: string, look: Look): string | undefined {
  for (const { name } of entriesOf(join(look.repository, store))) {
    const found = changedIn(posix.join(store, name, 'node_modules'), look);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first file of a package that was written; of one that was installed anew, only what is nested in it. */
function writtenIn(folder: string, look: Look, isAnew: boolean): string | undefined {
  for (const entry of entriesOf(`${look.repository}/${folder}`)) {
    if (--look.left < 0) return undefined;
    // Joined by hand: of thousands of paths, `join` takes longer than the system does.
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const isNested = entry.name === 'node_modules';
      if (entry.name.startsWith('.')) continue;
      const inner = isNested ? changedIn(path, look) : writtenIn(path, look, isAnew);
      if (inner !== undefined) return inner;
    } else if (!isAnew && entry.isFile() && isWritten(path, look)) return path;
  }
  return undefined;
}

function isWritten(path: string, { repository, sinceMs, mayBeInstalled }: Look): boolean {
  const found = statAt(`${repository}/${path}`);
  if (found === undefined || found.ctimeMs <= sinceMs) return false;
  if (found.birthtimeMs > sinceMs && !LOADED.test(path)) return false;
  // A package manager makes programs executable, and runs builds.
  const isFact = mayBeInstalled && (found.mode & 0o111) !== 0;
  if (mayBeInstalled && !AUTHORED.test(path)) return false;
  return (found.nlink === 1 && !isFact) || found.mtimeMs > sinceMs;
}

/** What npm has installed when it ends, and how long before and after that it and the scripts of the repository may work. */
const RECORD = '.package-lock.json';
const AROUND_MS = 60_000;
/** Marks of other managers, which leave a record of npm as it is. */
const OTHERS = ['bun.lock', 'bun.lockb', 'yarn.lock', 'pnpm-lock.yaml'];

/**
 * Whether a package was installed since: its package.json is new. One that npm's record names, and that is newer than the
 * record, was put there by somebody else.
 */
function isInstalledAnew(place: string, { repository, installed, sinceMs }: Look): boolean {
  const manifest = statAt(join(repository, place, 'package.json'));
  if (manifest === undefined) return true;
  if (manifest.ctimeMs <= sinceMs) return false;
  const parent = posix.dirname(installed);
  const record = statAt(join(repository, installed, RECORD));
  const folder = statAt(join(repository, installed));
  if (record === undefined || folder === undefined || folder.birthtimeMs > sinceMs) return true;
  if (manifest.ctimeMs <= record.mtimeMs + AROUND_MS) return true;
  if (OTHERS.some((name) => existsSync(join(repository, parent, name)))) return true;
  const key = JSON.stringify(posix.relative(parent, place));
  return !textOf(join(repository, installed, RECORD)).includes(`${key}: {`);
}

/** A link that was made since, with where it leads; undefined if a package manager makes such links here. */
function newLink(path: string, look: Look): string | undefined {
  const { repository, sinceMs } = look;
  const found = statAt(join(repository, path));
  if (found?.isSymbolicLink() !== true || found.ctimeMs <= sinceMs) return undefined;
  const [root, real] = [realPathOf(repository), realPathOf(join(repository, path))];
  if (root === undefined || real === undefined) return undefined;
  const inside = relative(root, real);
  const isInside = !isAbsolute(inside) && inside.split(sep)[0] !== '..';
  if (isInside && inside.split(sep).includes('node_modules')) return undefined;
  if (linksPackages(look, isInside) || isInStore(real, look)) return undefined;
  return `${path}, now a link to ${real},`;
}

/** Whether the manifests of the repository ask for links to folders. */
function linksPackages({ repository, installed }: Look, isInside: boolean): boolean {
  const texts = ['package.json', posix.join(posix.dirname(installed), 'package.json')].map((path) =>
    textOf(join(repository, path)),
  );
  if (texts.some((text) => /"(?:file|link|portal):/.test(text))) return true;
  const isWorkspace = texts.some((text) => /"workspaces"\s*:|"workspace:/.test(text));
  return isInside && (isWorkspace || existsSync(join(repository, 'pnpm-workspace.yaml')));
}

/** Whether a place is in the folder in which pnpm keeps the packages of all repositories. */
function isInStore(real: string, { repository, installed }: Look): boolean {
  const folder = join(repository, installed);
  const named = /virtualStoreDir"?:\s*"?([^"\n,]+)/.exec(textOf(join(folder, '.modules.yaml')))?.[1];
  const store = named === undefined ? undefined : realPathOf(resolve(folder, named.trim()));
  return store !== undefined && real.startsWith(store + sep);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
