import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Visible } from './sandbox.ts';
import { packageFile, PACKAGE_ROOT, RUNS_FROM_SOURCE } from '../../platform/package-files.ts';

/** Where version managers, package managers and browsers' downloads live in a home; no configuration, no keys. */
const HOME_TOOLS = [
  ...['.nvm', '.volta', '.fnm', '.local/share/fnm', '.asdf', '.local/share/mise', '.bun', '.deno', '.n'],
  ...[
    '.local/share/pnpm',
    '.cache/node/corepack',
    '.cache/ms-playwright',
    '.cache/puppeteer',
    '.cache/Cypress',
  ],
  ...[
    '.yarn',
    '.pyenv',
    '.rbenv',
    '.rustup',
    '.cargo/bin',
    '.cargo/registry',
    '.sdkman/candidates',
    '.dotnet',
  ],
  ...['go/bin', 'go/pkg', '.local/bin', '.local/lib', '.local/share/uv', '.gem/ruby'],
];
/** Its name in the temporary folder, by Node's own default. */
const COMPILE_CACHE = 'node-compile-cache';
/** What of ralph itself the tools of a repository are given: reporters, and the modules beside them. */
const OWN_PARTS = ['package.json', 'node_modules'];

/**
 * Tools that may lie in hidden folders and are to be there nevertheless: what is on the PATH, Node, ralph. No
 * folder that holds one of the `closed` ones is among them.
 */
export function visibleTools(closed: readonly string[], path = process.env['PATH'] ?? ''): Visible[] {
  const bins = [...path.split(delimiter).filter(isAbsolute), dirname(process.execPath)];
  const home = HOME_TOOLS.map((name) => join(homedir(), name));
  const paths = [...bins.map((bin) => installationOf(bin, closed)), ...home, ...ownParts()];
  const found = paths.filter((it) => !closed.some((folder) => isInside(it, folder))).flatMap(visible);
  return [...new Map([...found, ...compileCache()].map((it) => [it.at, it])).values()];
}

/** A path as it is named and as it really is: programs may find it by either. Nothing where it is not there. */
export function visible(path: string): Visible[] {
  if (!existsSync(path)) return [];
  const from = realpathSync(path);
  const named = { from, at: path };
  return from === path ? [named] : [named, { from, at: from }];
}

/** Tests whether a path is the folder, or lies in it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}

/** Programs use what stands beside their folder; a dot folder of a home may hold keys beside it. */
function installationOf(bin: string, closed: readonly string[]): string {
  const parent = dirname(bin);
  // What an installed package's programs link to lies in the packages beside them.
  if (basename(bin) === '.bin') return closed.some((folder) => isInside(parent, folder)) ? bin : parent;
  if (!/^(bin|sbin|shims)$/.test(basename(bin))) return bin;
  const isKnown = HOME_TOOLS.includes(relative(homedir(), parent));
  const isDotFolder = dirname(parent) === homedir() && basename(parent).startsWith('.');
  const holdsMore = closed.some((folder) => isInside(parent, folder));
  return holdsMore || (isDotFolder && !isKnown) ? bin : parent;
}

/**
 * What Node compiled of npm, the type checker and the like, for them to start as fast as outside. Read-only: code
 * that is put there would run in the next check.
 */
function compileCache(): Visible[] {
  const [from] = visible(join(tmpdir(), COMPILE_CACHE));
  const isOurs =
    from !== undefined && lstatSync(from.at).isDirectory() && lstatSync(from.at).uid === userInfo().uid;
  return isOurs ? [{ from: from.from, at: join('/tmp', COMPILE_CACHE) }] : [];
}

/** The folder of modules that ralph is installed in holds its dependencies. */
function ownParts(): string[] {
  const code = packageFile(RUNS_FROM_SOURCE ? 'src' : 'dist');
  const root = PACKAGE_ROOT;
  const above = root.lastIndexOf(`${sep}node_modules${sep}`);
  const installed = above < 0 ? [] : [root.slice(0, above) + `${sep}node_modules`];
  return [code, ...OWN_PARTS.map((name) => join(root, name)), ...installed];
}
