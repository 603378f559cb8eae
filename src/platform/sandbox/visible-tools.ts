import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { homeFolder, ownUserId } from '../processes/own-user.ts';
import type { Visible } from './sandbox.ts';
import { linkTargets } from '../files/link-targets.ts';
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
  const programs = [...bins.map((bin) => installationOf(bin, closed)), ...linkedPrograms(bins, closed)];
  const paths = [...programs, ...tools, ...namedTools(), ...ownParts()];
  const isClosed = (path: string): boolean => closed.some((folder) => isInside(path, folder));
  const found = paths
    .filter((it) => !isClosed(it))
    .flatMap(visible)
    .filter(({ from }) => !isClosed(from));
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
  const holdsMore = closed.some((folder) => isInside(parent, folder));
  return !holdsMore && (isKnown || isInstallation(parent)) ? parent : bin;
}

const PART_OF_INSTALLATION =
  /^(bin|sbin|lib|lib32|lib64|libexec|include|share|man|doc|docs|etc|conf|jmods|legal|release|version|[A-Z][\w.-]*)$/;

/** True if a folder holds nothing but the folders of an installation and texts such as LICENSE; not a folder of projects. */
function isInstallation(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length > 1 && names.every((name) => PART_OF_INSTALLATION.test(name));
  } catch {
    return false;
  }
}

/** Variables that name the folder of a tool. */
const TOOL_VARIABLES =
  /^(JAVA_HOME|JDK_HOME|MAVEN_HOME|GRADLE_HOME|ANDROID_HOME|ANDROID_SDK_ROOT|DOTNET_ROOT|GOROOT|VIRTUAL_ENV|CONDA_PREFIX|PNPM_HOME|CHROME_BIN|CHROME_PATH|PUPPETEER_EXECUTABLE_PATH|PLAYWRIGHT_BROWSERS_PATH|PUPPETEER_CACHE_DIR|CYPRESS_CACHE_FOLDER)$/;

function namedTools(): string[] {
  const named = Object.entries(process.env).filter(([name]) => TOOL_VARIABLES.test(name));
  return named.flatMap(([, value]) => (value !== undefined && isAbsolute(value) ? [value] : []));
}

/** Folders of programs in /opt to which links on the PATH lead, such as a browser's. */
function linkedPrograms(bins: readonly string[], closed: readonly string[]): string[] {
  // Looking at each link on the PATH takes longer than all the rest.
  if (!holdsSomething('/opt')) return [];
  const targets = linkTargets(bins).filter((path) => path.startsWith('/opt/'));
  const folders = targets.map((path) => installationOf(dirname(path), closed));
  return [...new Set(folders)].filter((folder) => folder !== '/opt');
}

function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return existsSync(folder);
  }
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
