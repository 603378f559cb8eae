import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { resolveByPaths } from './path-aliases.ts';
import { isEditableSource, SOURCE_EXTENSIONS } from './source-files.ts';

const MAX_FILES = 400;
const IMPORTED = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])([^'"\n]+)\1/g;

/** A file that the tests reach by imports. */
export interface ReachedFile {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** 1: imported by the starting file itself. */
  readonly depth: number;
}

/**
 * Source files that `from` imports, directly or through others, nearest first: relative imports, path aliases
 * of a tsconfig, the package's own name, packages of the same workspace. Installed packages are left out.
 */
export function reachedSources(root: string, from: string): ReachedFile[] {
  const realRoot = realpathSync(root);
  const depths = new Map([[from, 0]]);
  for (const [file, depth] of depths) {
    if (depths.size > MAX_FILES) break;
    for (const imported of importsOf(realRoot, file)) {
      if (!depths.has(imported)) depths.set(imported, depth + 1);
    }
  }
  return [...depths]
    .filter(([file, depth]) => depth > 0 && isEditableSource(file))
    .map(([file, depth]) => ({ file, depth }));
}

function importsOf(root: string, file: string): string[] {
  const importer = join(root, file);
  let text: string;
  try {
    text = readFileSync(importer, 'utf8');
  } catch {
    return [];
  }
  const found = [...text.matchAll(IMPORTED)].map(([, , specifier]) =>
    resolveImport(root, importer, specifier!),
  );
  return found.filter((path) => path !== undefined).map((path) => relative(root, path).split(sep).join('/'));
}

function resolveImport(root: string, importer: string, specifier: string): string | undefined {
  const path = specifier.startsWith('.')
    ? existingFile(resolve(dirname(importer), specifier))
    : (resolveByPaths(root, importer, specifier).map(existingFile).find(Boolean) ??
      resolvePackage(root, importer, specifier));
  if (path === undefined) return undefined;
  const real = realpathSync(path);
  return real.startsWith(root + sep) && !real.includes(`${sep}node_modules${sep}`) ? real : undefined;
}

/** The file that a path without its extension, or with that of its compiled form, stands for. */
function existingFile(path: string): string | undefined {
  const bare = path.slice(0, path.length - extname(path).length);
  const compiled = /\.[cm]?jsx?$/.test(path) ? SOURCE_EXTENSIONS.map((extension) => bare + extension) : [];
  const tried = [
    path,
    ...compiled,
    ...SOURCE_EXTENSIONS.map((extension) => path + extension),
    ...SOURCE_EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ];
  return tried.find(isFile);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The package's own name (or `#…`), or a package of the workspace, as far as its files are to be found. */
function resolvePackage(root: string, importer: string, specifier: string): string | undefined {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const subpath = `.${specifier.slice(name.length)}`;
  for (let dir = dirname(importer); dir.startsWith(root); dir = dirname(dir)) {
    const own = readManifest(dir);
    if (specifier.startsWith('#')) {
      if (own?.imports !== undefined) return entryOf(dir, own.imports, specifier);
    } else if (own?.name === name) {
      return packageFile(dir, subpath);
    } else if (existsSync(join(dir, 'node_modules', name))) {
      return packageFile(realpathSync(join(dir, 'node_modules', name)), subpath);
    }
  }
  return undefined;
}

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

function readManifest(dir: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

function packageFile(dir: string, subpath: string): string | undefined {
  if (dir.includes(`${sep}node_modules${sep}`)) return undefined;
  const manifest = readManifest(dir);
  const exported = entryOf(dir, manifest?.exports, subpath);
  if (exported !== undefined) return exported;
  if (subpath !== '.') return existingFile(join(dir, subpath)) ?? existingFile(join(dir, 'src', subpath));
  const entries = [manifest?.module, manifest?.main, 'src/index', 'index'];
  return entries
    .filter((entry): entry is string => typeof entry === 'string')
    .map((entry) => sourceOf(dir, entry))
    .find((file) => file !== undefined);
}

/** What an `exports` or `imports` field gives for a subpath, under any of its conditions. */
function entryOf(dir: string, field: unknown, subpath: string): string | undefined {
  const table = typeof field === 'object' && field !== null ? (field as Record<string, unknown>) : {};
  const targets = subpath in table ? targetsOf(table[subpath]) : subpath === '.' ? targetsOf(field) : [];
  return targets.map((target) => sourceOf(dir, target)).find((file) => file !== undefined);
}

function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(targetsOf) : [];
}

/** A package's entry names what its build makes; the source stands under `src` by the same name. */
function sourceOf(dir: string, entry: string): string | undefined {
  const source = entry.replace(/(^|\/)(dist|lib|build|out)\//, '$1src/');
  return existingFile(join(dir, source)) ?? existingFile(join(dir, entry));
}
