import { existsSync, readdirSync, realpathSync, type Dirent } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { packagePlaces } from '../../platform/sandbox/package-places.ts';
import { copyDependents } from './dependents.ts';

/** The user's repository and the workspace, as absolute real paths. */
export interface LinkRoots {
  readonly repository: string;
  readonly workspace: string;
}

/** One entry of a `node_modules` folder, or a part of Plug'n'Play, in the workspace. */
export interface DependencyLink {
  /** Relative to the root. */
  readonly path: string;
  /** Absolute path of the original. */
  readonly target: string;
  /** `copy` for a file, `folder` for a folder with everything in it. */
  readonly kind: 'link' | 'copy' | 'folder' | 'map';
}

/** Folders in `node_modules` that hold caches of tools, which are valid for one tree only. */
const CACHE = /^\.(cache|vite.*|vitest.*|temp|tmp|nyc_output|parcel-cache|rollup\.cache|turbo|swc|jiti)$/;

/** Yarn's Plug'n'Play installation: its maps, which name places relative to their own, and the packages. */
const YARN = {
  map: ['.pnp.cjs', '.pnp.data.json', '.pnp.loader.mjs'],
  link: ['.yarn/cache', '.yarn/unplugged'],
} as const;

/** The user's `node_modules` folders in folders of the tree, relative to the root. */
export function dependencyFolders(repository: string, files: readonly string[]): string[] {
  const folders = new Set(['']);
  for (const file of files) {
    const outside = file.replace(/(^|\/)node_modules\/.*$/s, '$1_');
    for (let at = posix.dirname(outside); at !== '.' && !folders.has(at); at = posix.dirname(at))
      folders.add(at);
  }
  return [...folders]
    .map((folder) => posix.join(folder, 'node_modules'))
    .filter((path) => existsSync(join(repository, path)));
}

/**
 * Plans the links of a workspace. Entries link to the real path of the installed package; packages of the repository
 * itself (with a real path in it, outside any `node_modules`) link to their copy in the workspace. Plain files, such as
 * the state of package managers and pnpm's shims, are copied, and so are installed packages that import one of the
 * repository or that a bundler reads by their place. Caches and tracked files are left out, and files that are no part of a package (see `packagePlaces`).
 */
export function planLinks(
  roots: LinkRoots,
  folders: readonly string[],
  files: readonly string[],
): DependencyLink[] {
  const tracked = trackedEntries(files);
  const links = folders.flatMap((folder) => planFolder(roots, folder));
  const yarn = (['map', 'link'] as const).flatMap((kind) =>
    YARN[kind].flatMap((path) => toLink(roots, path, kind)),
  );
  const isPackage = packagePlaces([roots.repository, roots.workspace]);
  const own = [...links, ...yarn].filter(
    ({ path, kind, target }) => !tracked.has(path) && (kind === 'link' || isPackage(target)),
  );
  return copyDependents(roots, own, files);
}

/** Every file and folder of the tree that is in a `node_modules` or belongs to Yarn. */
export function trackedEntries(files: readonly string[]): ReadonlySet<string> {
  const entries = new Set<string>();
  for (const file of files.filter((path) => /(^|\/)(node_modules|\.yarn|\.pnp\.[^/]*)(\/|$)/.test(path))) {
    for (let at = file; at !== '.' && !entries.has(at); at = posix.dirname(at)) entries.add(at);
  }
  return entries;
}

function planFolder(roots: LinkRoots, folder: string): DependencyLink[] {
  return entriesOf(join(roots.repository, folder)).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (CACHE.test(entry.name)) return [];
    return isGroup(entry) ? planGroup(roots, path) : planEntry(roots, folder, entry);
  });
}

/** Scopes, `.bin`, the stores of pnpm and bun, and folders of generators such as Prisma. */
function isGroup(entry: Dirent): boolean {
  return entry.isDirectory() && /^[@.]/.test(entry.name);
}

function planGroup(roots: LinkRoots, group: string): DependencyLink[] {
  return entriesOf(join(roots.repository, group)).flatMap((entry) => planEntry(roots, group, entry));
}

function planEntry(roots: LinkRoots, folder: string, entry: Dirent): DependencyLink[] {
  return toLink(roots, posix.join(folder, entry.name), entry.isFile() ? 'copy' : 'link');
}

function toLink(roots: LinkRoots, path: string, kind: DependencyLink['kind']): DependencyLink[] {
  const real = realPathOf(join(roots.repository, path));
  return real === undefined ? [] : [{ path, target: ownPackage(roots, real) ?? real, kind }];
}

/** The workspace's copy of a package of the repository; undefined for an installed package, or without a copy. */
function ownPackage({ repository, workspace }: LinkRoots, real: string): string | undefined {
  const inside = relative(repository, real);
  const parts = inside.split(sep);
  if (parts[0] === '..' || parts.includes('node_modules')) return undefined;
  const copy = join(workspace, inside);
  return existsSync(copy) ? copy : undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
