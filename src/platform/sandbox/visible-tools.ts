import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { homeFolder, ownUserId } from '../processes/own-user.ts';
import type { Visible } from './sandbox.ts';
import { packageFile, PACKAGE_ROOT, RUNS_FROM_SOURCE } from '../package-files.ts';

/** Folders of version managers, package managers and downloaded browsers in a home folder, without configuration and keys. */
const HOME_TOOLS = [
  '.nvm',
  '.volta',
  '.fnm',
  '.local/share/fnm',
  '.asdf',
  '.local/share/mise',
  '.bun',
  '.deno',
  '.n',
  '.local/share/pnpm',
  '.cache/node/corepack',
  '.cache/ms-playwright',
  '.cache/puppeteer',
  '.cache/Cypress',
  '.yarn',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.cargo/bin',
  '.cargo/registry',
  '.sdkman/candidates',
  '.dotnet',
  'go/bin',
  'go/pkg',
  '.local/bin',
  '.local/lib',
  '.local/share/uv',
  '.gem/ruby',
];
/** Node's default name in the temporary folder. */
const COMPILE_CACHE = 'node-compile-cache';
const WRITABLE_BY_OTHERS = 0o022;
/** Parts of ralph's own package that the tools of a repository need, for its reporters. */
const OWN_PARTS = ['package.json', 'node_modules'];

/**
 * Tools that must be visible even in hidden folders: programs on the PATH, Node, ralph. Folders that contain one of the
 * `closed` ones are left out.
 */
export function visibleTools(closed: readonly string[], path = process.env['PATH'] ?? ''): Visible[] {
  const bins = [...path.split(delimiter).filter(isAbsolute), dirname(process.execPath)];
  const home = homeFolder();
  const tools = home === undefined ? [] : HOME_TOOLS.map((name) => join(home, name));
  const paths = [...bins.map((bin) => installationOf(bin, closed)), ...tools, ...ownParts()];
  const found = paths.filter((it) => !closed.some((folder) => isInside(it, folder))).flatMap(visible);
  return [...new Map([...found, ...compileCache()].map((it) => [it.at, it])).values()];
}

/** A path by its name and by its real path, because programs may use either. Empty if it does not exist. */
export function visible(path: string): Visible[] {
  if (!existsSync(path)) return [];
  const from = realpathSync(path);
  const named = { from, at: path };
  return from === path ? [named] : [named, { from, at: from }];
}

/** True if a path is the folder or lies in it. Both are absolute and normalised. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}

/** The parent of a `bin` folder, whose programs use files next to it; but not a dot folder of a home, which may hold keys. */
function installationOf(bin: string, closed: readonly string[]): string {
  const parent = dirname(bin);
  // Entries of `.bin` link to the packages next to it.
  if (basename(bin) === '.bin') return closed.some((folder) => isInside(parent, folder)) ? bin : parent;
  if (!/^(bin|sbin|shims)$/.test(basename(bin))) return bin;
  const home = homeFolder();
  const isKnown = home !== undefined && HOME_TOOLS.includes(relative(home, parent));
  const isDotFolder = dirname(parent) === home && basename(parent).startsWith('.');
  const holdsMore = closed.some((folder) => isInside(parent, folder));
  return holdsMore || (isDotFolder && !isKnown) ? bin : parent;
}

/**
 * Node's compile cache, so that npm, type checkers and the like start as fast as outside. Read-only, because code that a
 * program puts there would run in the next check.
 */
function compileCache(): Visible[] {
  const [from] = visible(join(tmpdir(), COMPILE_CACHE));
  if (from === undefined) return [];
  const stats = lstatSync(from.at);
  const isOurs = stats.isDirectory() && stats.uid === ownUserId() && (stats.mode & WRITABLE_BY_OTHERS) === 0;
  return isOurs ? [{ from: from.from, at: join('/tmp', COMPILE_CACHE) }] : [];
}

/** Absolute paths of ralph's own code and its dependencies, which may be next to it. */
function ownParts(): string[] {
  const code = packageFile(RUNS_FROM_SOURCE ? 'src' : 'dist');
  const root = PACKAGE_ROOT;
  const above = root.lastIndexOf(`${sep}node_modules${sep}`);
  const installed = above < 0 ? [] : [root.slice(0, above) + `${sep}node_modules`];
  return [code, ...OWN_PARTS.map((name) => join(root, name)), ...installed];
}
