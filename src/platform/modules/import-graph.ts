import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { readTreeTextSync } from '../files/read-bounded.ts';
import { type AliasResolver, createAliasResolver } from './path-aliases.ts';

/** Extensions of JavaScript and TypeScript files. */
export const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'] as const;

const MAX_FILES = 400;
const IMPORTED = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"`])((?:(?!\1|\$\{)[^\\\n]|\\.)+)\1/g;

/** A file that another one imports, directly or through others. */
export interface ReachedFile {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** Length of the shortest import chain; 1 for a direct import. */
  readonly depth: number;
}

/** The imports between the files of a tree, read when they are asked for. */
export interface ImportGraph {
  /**
   * The file itself (depth 0) and everything in the tree that it imports, directly or through others, nearest first.
   * Follows relative imports, path aliases of a tsconfig, imports of the package's own name and packages of the same
   * workspace, not installed ones. `from`: relative to the root.
   */
  reachedFrom(from: string): ReachedFile[];
  /** Text of a file that was reached; empty if it cannot be read. */
  textOf(file: string): string;
}

/** Imports that are gone when the program runs. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^;'"]*?\bfrom\s*(['"])[^'"\n]+\1/g;

/**
 * The import graph of the tree at `root`, absolute; each file is read once. `withTypes`: follow `import type`, too. Default
 * true.
 */
export function createImportGraph(
  root: string,
  { withTypes = true }: { readonly withTypes?: boolean } = {},
): ImportGraph {
  const realRoot = realpathSync(root);
  const resolveAlias = createAliasResolver(realRoot);
  const texts = new Map<string, string>();
  const imports = new Map<string, readonly string[]>();
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readText(join(realRoot, file));
    texts.set(file, text);
    return text;
  };
  const codeOf = (file: string): string =>
    withTypes ? textOf(file) : textOf(file).replaceAll(TYPE_IMPORT, '');
  const importsOf = (file: string): readonly string[] => {
    const found = imports.get(file) ?? importsIn(realRoot, { file, text: codeOf(file), resolveAlias });
    imports.set(file, found);
    return found;
  };
  return {
    textOf,
    reachedFrom(from) {
      const depths = new Map([[from, 0]]);
      for (const [file, depth] of depths) {
        if (depths.size > MAX_FILES) break;
        for (const imported of importsOf(file)) {
          if (!depths.has(imported)) depths.set(imported, depth + 1);
        }
      }
      return [...depths].map(([file, depth]) => ({ file, depth }));
    },
  };
}

/** The files that one file reaches in the tree at `root`; see `ImportGraph`. */
export function reachedFiles(root: string, from: string): ReachedFile[] {
  return createImportGraph(root).reachedFrom(from);
}

interface SourceText {
  readonly file: string;
  readonly text: string;
  readonly resolveAlias: AliasResolver;
}

function importsIn(root: string, { file, text, resolveAlias }: SourceText): string[] {
  const importer = join(root, file);
  return [...text.matchAll(IMPORTED)]
    .map(([, , written]) => {
      const specifier = written!.replace(/\\(.)/g, '$1');
      const aliases = specifier.startsWith('.') ? [] : resolveAlias(importer, specifier);
      return resolveImport(root, { importer, specifier, aliases });
    })
    .filter((path) => path !== undefined)
    .map((path) => relative(root, path).split(sep).join('/'));
}

function readText(path: string): string {
  try {
    return readTreeTextSync(path);
  } catch {
    return '';
  }
}

interface Import {
  /** Absolute path of the importing file. */
  readonly importer: string;
  readonly specifier: string;
  /** Absolute paths that the specifier may be an alias of. */
  readonly aliases: readonly string[];
}

function resolveImport(root: string, { importer, specifier, aliases }: Import): string | undefined {
  const path = specifier.startsWith('.')
    ? relativeFile(resolve(dirname(importer), specifier))
    : (aliases.map(existingFile).find(Boolean) ?? resolvePackage(root, importer, specifier));
  if (path === undefined) return undefined;
  const real = realpathSync(path);
  return real.startsWith(root + sep) && !real.includes(`${sep}node_modules${sep}`) ? real : undefined;
}

/** The source file for the path of a relative import; a folder with a manifest is imported by its `main`, as Node does. */
function relativeFile(path: string): string | undefined {
  if (isFile(path)) return path;
  const main = existsSync(join(path, 'package.json')) ? readManifest(path)?.main : undefined;
  return (typeof main === 'string' ? sourceOf(path, main) : undefined) ?? existingFile(path);
}

/** The source file for a path that lacks its extension or has the one of the compiled file. */
function existingFile(path: string): string | undefined {
  const bare = path.slice(0, path.length - extname(path).length);
  const compiled = /\.[cm]?jsx?$/.test(path) ? SOURCE_EXTENSIONS.map((extension) => bare + extension) : [];
  const paths = [
    path,
    ...compiled,
    ...SOURCE_EXTENSIONS.map((extension) => path + extension),
    ...SOURCE_EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ];
  return paths.find(isFile);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The source file for the package's own name, for `#…` (subpath imports) or for a package of the workspace. */
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
    return JSON.parse(readTreeTextSync(join(dir, 'package.json'))) as Manifest;
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

/** The source file that an `exports` or `imports` field maps a subpath to, under any condition. */
function entryOf(dir: string, field: unknown, subpath: string): string | undefined {
  const table = typeof field === 'object' && field !== null ? (field as Record<string, unknown>) : {};
  const targets = subpath in table ? targetsOf(table[subpath]) : subpath === '.' ? targetsOf(field) : [];
  return targets.map((target) => sourceOf(dir, target)).find((file) => file !== undefined);
}

function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(targetsOf) : [];
}

/** The source, relative to the root, of an entry of the package at the root, such as `dist/index.js`; undefined without one. */
export function entrySource(root: string, entry: string): string | undefined {
  const path = sourceOf(root, entry);
  return path === undefined ? undefined : relative(root, path).split(sep).join('/');
}

/** The source of an entry point. An entry names a build product; its source has the same name under `src`. */
function sourceOf(dir: string, entry: string): string | undefined {
  const source = entry.replace(/(^|\/)(dist|lib|build|out)\//, '$1src/');
  return existingFile(join(dir, source)) ?? existingFile(join(dir, entry));
}
