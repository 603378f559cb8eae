import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Tampering } from '../../schema/generated.ts';
import { isRealFolder } from '../../platform/files/real-paths.ts';

/** Folders in which package managers store packages. Other folders that begin with a dot belong to tools. */
const STORES = new Set(['.pnpm', '.bun', '.store']);
const MAX_PACKAGES = 100;

/**
 * Tampering for each installed package with a file that changed since a time, in milliseconds since the epoch, by the
 * file's ctime, which a program without special rights cannot set. `folders` are `node_modules` folders; all paths are
 * relative to `repository`.
 */
export function changedDependencies(
  repository: string,
  folders: readonly string[],
  sinceMs: number,
): Tampering[] {
  const places = folders.flatMap((folder) => packagesIn(repository, folder));
  const found: Tampering[] = [];
  for (const place of places) {
    const file = firstChanged(repository, place, sinceMs);
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

function firstChanged(root: string, folder: string, sinceMs: number): string | undefined {
  for (const entry of entriesOf(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = entry.name.startsWith('.') ? undefined : firstChanged(root, path, sinceMs);
      if (inner !== undefined) return inner;
    } else if (entry.isFile() && changeTimeOf(join(root, path)) > sinceMs) return path;
  }
  return undefined;
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
  rmSync(join(root, path), { recursive: true, force: true });
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

function changeTimeOf(path: string): number {
  try {
    return lstatSync(path).ctimeMs;
  } catch {
    return 0;
  }
}
