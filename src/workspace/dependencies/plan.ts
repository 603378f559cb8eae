import { existsSync, readdirSync, realpathSync, type Dirent } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** Absolute real paths. */
export interface LinkRoots {
  readonly repository: string;
  readonly workspace: string;
}

/** One entry of a `node_modules` folder in the workspace. */
export interface DependencyLink {
  /** Relative to the root. */
  readonly path: string;
  /** Absolute path that it leads to, or is a copy of. */
  readonly target: string;
  readonly kind: 'link' | 'copy';
}

/** Folders in node_modules that tools fill with what they computed from the sources of one tree. */
const CACHE = /^\.(cache|vite.*|vitest.*|temp|tmp|nyc_output|parcel-cache|rollup\.cache|turbo|swc|jiti)$/;

/** Parts of Yarn's Plug'n'Play installation, where they are not tracked. */
const YARN = ['.pnp.cjs', '.pnp.loader.mjs', '.pnp.data.json', '.yarn/cache', '.yarn/unplugged'];

/** The `node_modules` folders that the user has beside files of the tree, relative to the root. */
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
 * What has to be linked where. Entries lead to the real path of what the user has installed, except packages
 * of the repository itself (their real path is in it, outside any node_modules): those lead to the same
 * place in the workspace. Plain files (state of package managers, pnpm's shims) are copied, caches are left
 * out, and so is what the user tracks: the tree has it.
 */
export function planLinks(
  roots: LinkRoots,
  folders: readonly string[],
  files: readonly string[],
): DependencyLink[] {
  const tracked = trackedEntries(files);
  const links = folders.flatMap((folder) => planFolder(roots, folder));
  const yarn = YARN.flatMap((path) => toLink(roots, path, 'link'));
  return [...links, ...yarn].filter(({ path }) => !tracked.has(path));
}

/** Every file and folder of the tree that lies in a node_modules or belongs to Yarn. */
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

/** Scopes, `.bin`, pnpm's and bun's stores, and what generators such as Prisma keep. */
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

/** The workspace's copy of a package of the repository; undefined where it is installed, or has no copy. */
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
