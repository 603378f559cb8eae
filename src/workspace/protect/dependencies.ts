import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import type { Tampering } from '../../schema/generated.ts';
import { isRealFolder } from '../../platform/files/real-paths.ts';
import { removeInTree } from '../../platform/files/remove-in-tree.ts';
import { STORES } from './changed-packages.ts';

const MAX_PACKAGES = 100;

/** What is known of installed files, by their paths: everything but the number of their names. */
export type KnownFiles = Map<string, string>;

export interface WatchedDependencies {
  /** Absolute path of the user's repository. */
  readonly repository: string;
  /** `node_modules` folders, relative to the repository. */
  readonly folders: readonly string[];
  /** In milliseconds since the epoch. */
  readonly sinceMs: number;
  /**
   * Facts about the files before any attempt, where nothing that an attempt runs can write to them: then a file that only
   * got or lost a name, as by a hard link of a package manager, was not changed. They are completed by files that have not changed since.
   */
  readonly known?: KnownFiles | undefined;
}

/**
 * Tampering for each installed package with a file that changed since a time, by the file's ctime, which a program without
 * special rights cannot set.
 */
export function changedDependencies(watched: WatchedDependencies): Tampering[] {
  const { repository, folders } = watched;
  const places = folders.flatMap((folder) => packagesIn(repository, folder));
  const found: Tampering[] = [];
  for (const place of places) {
    const file = firstOf(repository, place, (path) => isChanged(path, watched));
    if (file !== undefined) found.push(dependencyChanged(place, file));
    if (found.length >= MAX_PACKAGES) break;
  }
  return found;
}

function dependencyChanged(place: string, file: string): Tampering {
  const detail = `${file} of your installed dependencies changed during the loop, so checks that use it cannot be trusted. Reinstall the dependencies.`;
  return { kind: 'dependency_changed', file: place, detail };
}

/** Folders of packages, including those in scopes and stores; links are skipped. */
function packagesIn(root: string, folder: string): string[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [];
    if (STORES.has(entry.name))
      return entriesOf(join(root, path)).flatMap(({ name }) =>
        packagesIn(root, posix.join(path, name, 'node_modules')),
      );
    if (entry.name.startsWith('@')) return packagesIn(root, path);
    return entry.name.startsWith('.') ? [] : [path];
  });
}

/** The first file of a package for which `isIt` holds. */
function firstOf(repository: string, folder: string, isIt: (path: string) => boolean): string | undefined {
  for (const entry of entriesOf(join(repository, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = entry.name.startsWith('.') ? undefined : firstOf(repository, path, isIt);
      if (inner !== undefined) return inner;
    } else if (entry.isFile() && isIt(path)) return path;
  }
  return undefined;
}

function isChanged(path: string, { repository, sinceMs, known }: WatchedDependencies): boolean {
  const found = statAt(join(repository, path));
  if (found === undefined) return false;
  const { ino, size, mtimeMs, mode, uid, gid, nlink, ctimeMs } = found;
  if (known === undefined) return ctimeMs > sinceMs;
  const facts = [ino, size, mtimeMs, mode, uid, gid].join(' ');
  const then = known.get(path);
  if (ctimeMs <= sinceMs) {
    known.set(path, `${facts} ${nlink}`);
    return false;
  }
  return then === undefined || !then.startsWith(`${facts} `) || then.endsWith(` ${nlink}`);
}

export interface ShadowingRequest {
  /** Absolute paths of the workspace and of the user's tree. */
  readonly root: string;
  readonly repository: string;
  /** Every folder of the base. */
  readonly folders: ReadonlySet<string>;
  /** The user's `node_modules` folders, relative to the root. */
  readonly installed: readonly string[];
}

/**
 * Removes packages that would be resolved before the user's installed packages of the same name: any new `node_modules`
 * in a folder without package.json, and entries of installed names in other new ones.
 */
export function removeShadowing({ root, repository, folders, installed }: ShadowingRequest): Tampering[] {
  const own = new Set(installed);
  const known = new Set(installed.flatMap((folder) => namesIn(join(repository, folder))));
  const places = [...folders]
    .map((folder) => posix.join(folder, 'node_modules'))
    .filter((it) => !own.has(it));
  return places
    .filter((place) => existsSync(join(root, place)))
    .flatMap((place) => {
      const isPackage = existsSync(join(root, posix.dirname(place), 'package.json'));
      if (!isPackage) return [remove(root, place)];
      if (!isRealFolder(join(root, place))) return [];
      return namesIn(join(root, place))
        .filter((name) => known.has(name))
        .map((name) => remove(root, posix.join(place, name)));
    });
}

function remove(root: string, path: string): Tampering {
  removeInTree(root, path);
  const detail = `${path} was added and would be loaded instead of an installed package; it was removed.`;
  return { kind: 'protected_added', file: path, detail };
}

/** Names of the packages in a `node_modules` folder, such as `name` and `@scope/name`. */
function namesIn(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@')
      ? entriesOf(join(folder, name)).map((inner) => `${name}/${inner.name}`)
      : [name];
  });
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
