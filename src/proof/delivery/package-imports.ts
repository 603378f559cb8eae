import { readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import picomatch from 'picomatch';
import { gitOutput } from '../../platform/git/git-output.ts';
import { textOf } from '../../platform/files/text-of.ts';

const IMPORTS =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bcreateRequire\s*\([^)\n]*\)\s*\(\s*)(['"`])([^'"`\n]+)\1/g;
const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** The names that a text imports, by any syntax. */
export function importedNames(text: string): string[] {
  return [...text.matchAll(IMPORTS)].map(([, , name]) => name!);
}

/** The files that a text names relative to itself without importing them: `new URL('../data/words.json', import.meta.url)`. */
export function namedFiles(text: string): string[] {
  const imported = new Set(importedNames(text));
  const names = [...text.matchAll(/(['"`])(\.{1,2}\/[\w./-]*\.\w+)\1/g)].map(([, , name]) => name!);
  return names.filter((name) => !imported.has(name));
}

/** Names that npm leaves out of every package, of files or of folders around them (npm-packlist). */
export const NEVER_PACKED =
  /(?:^|\/)(?:\.git|CVS|\.svn|\.hg|\.DS_Store|\.npmrc|npm-debug\.log|\.lock-wscript|\.wafpickle-\d+|\._[^/]*|[^/]*\.orig|\.[^/]*\.swp)(?:\/|$)/;

/** A file that `git archive` leaves out by an attribute. */
export async function unarchivedFile(
  name: string,
  source: string,
  root: string,
): Promise<string | undefined> {
  const path = foundFile(root, posix.join(posix.dirname(source), name));
  if (path === undefined || path.startsWith('../')) return undefined;
  const isLeftOut = await isExportIgnored(
    ['check-attr', '-z', 'export-ignore', '--', ...upwards(path)],
    root,
  );
  return isLeftOut
    ? `${source} imports ${path}, which does not reach everybody: \`git archive\` (export-ignore of .gitattributes) leaves it out. Give it another place or name.`
    : undefined;
}

/** A path and the folders that it lies in. */
function upwards(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

async function isExportIgnored(args: readonly string[], root: string): Promise<boolean> {
  return /\0set\0/.test(await gitOutput(args, root));
}

/** Whether `files` of package.json takes a path, relative to the package's folder. */
export function packedBy(files: readonly string[]): (path: string) => boolean {
  const globs = files.map((it) => posix.normalize(it).replace(/^\//, '').replace(/\/$/, ''));
  const [without, within] = [true, false].map((isOut) =>
    globs.filter((it) => it.startsWith('!') === isOut).map((it) => it.replace(/^!/, '')),
  );
  const holds = (path: string, glob: string): boolean => {
    const parts = path.split('/');
    const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    return folders.some((it) => it === glob || picomatch.isMatch(it, glob, { dot: true }));
  };
  return (path) => within!.some((it) => holds(path, it)) && !without!.some((it) => holds(path, it));
}

const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js', '/index.ts'];

/** The file that a runner takes for a path. */
export function foundFile(root: string, path: string): string | undefined {
  const plain = path.replace(/\?.*$/, '');
  const bare = plain.replace(/\.[cm]?js$/, '');
  const all = [...ENDINGS.map((end) => plain + end), `${bare}.ts`, `${bare}.mts`, `${bare}.cts`];
  return all.find((it) => isFile(join(root, it)));
}

/**
 * A TypeScript file that plain JavaScript of a published package imports: Node strips the types in the repository, and refuses
 * to below node_modules. Nothing is known of a source that has such imports already.
 */
export function typedFile(
  name: string,
  {
    source,
    root,
    known,
  }: { readonly source: string; readonly root: string; readonly known: readonly string[] },
): string | undefined {
  const isTyped = (it: string): boolean => /^\..*\.[cm]?ts$/.test(it);
  if (!/\.[cm]?js$/.test(source) || !isTyped(name) || known.some(isTyped)) return undefined;
  const folder = folderOfPackage(source, root);
  const { name: own, private: isPrivate } = folder === undefined ? {} : manifestOf(root, folder);
  if (typeof own !== 'string' || isPrivate === true) return undefined;
  return `${source} imports ${name}, which Node does not load from an installed package: it strips no types below node_modules. Write it in JavaScript.`;
}

/** Names that only a bundler or a test runner resolves: without the ending, a folder, or a file that is no code. */
const BUNDLED = /\?\w+$|\.(css|scss|svg|png|txt|html|md|vue)$/;
const BUNDLERS =
  /^(vite|webpack|rollup|rolldown|esbuild|parcel|next|nuxt|astro|tsup|tsdown|unbuild|@rsbuild\/core|@sveltejs\/kit)$/;

/**
 * An import of a module that Node loads as it is, which Node does not resolve. Nothing is known of a source that has such
 * imports already, of a package that lists a bundler, and of TypeScript.
 */
export function unresolvedFile(
  name: string,
  {
    source,
    root,
    known,
  }: { readonly source: string; readonly root: string; readonly known: readonly string[] },
): string | undefined {
  const folder = folderOfPackage(source, root);
  const manifest = folder === undefined ? {} : manifestOf(root, folder);
  const isModule = source.endsWith('.mjs') || (source.endsWith('.js') && manifest['type'] === 'module');
  if (!isModule || folder === undefined || !isLoadedByNode(manifest, join(root, folder))) return undefined;
  const place = posix.dirname(source);
  const isUnresolved = (it: string): boolean =>
    it.startsWith('.') &&
    (BUNDLED.test(it) || !isFile(join(root, place, it))) &&
    foundFile(root, posix.join(place, it)) !== undefined;
  if (!isUnresolved(name) || [...known, ...namesBeside(source, root)].some(isUnresolved)) return undefined;
  return `${source} imports ${name}, which a test runner or a bundler resolves and Node does not, so that users of the package cannot load it. Name the file with its ending.`;
}

/** The relative imports of other sources in the folder: what they all may do, a new one may. */
function namesBeside(source: string, root: string): string[] {
  const place = join(root, posix.dirname(source));
  const others = readdirSync(place).filter(
    (name) => /\.m?jsx?$/.test(name) && !/\.(test|spec)\./.test(name) && name !== posix.basename(source),
  );
  return others.slice(0, 100).flatMap((name) => importedNames(textOf(join(place, name))));
}

/** Whether an entry of the package is a file of the repository, and no bundler is listed. */
function isLoadedByNode(manifest: Manifest, folder: string): boolean {
  const packages = LISTS.flatMap((key) => Object.keys((manifest[key] as object | undefined) ?? {}));
  if (packages.some((it) => BUNDLERS.test(it))) return false;
  const entries = textsIn([manifest['main'] ?? 'index.js', manifest['exports'], manifest['bin']]);
  return entries.some((it) => it.includes('*') || isFile(join(folder, it)));
}

/** Every text in a value of package.json. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A parsed package.json. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The folder of the nearest package.json, relative to the root; undefined without one. */
export function folderOfPackage(source: string, root: string): string | undefined {
  for (let folder = posix.dirname(source); ; folder = posix.dirname(folder)) {
    if (isFile(join(root, folder, 'package.json'))) return folder;
    if (folder === '.' || folder === '/') return undefined;
  }
}

/** Empty if package.json cannot be read. */
export function manifestOf(root: string, folder: string): Manifest {
  try {
    return JSON.parse(textOf(join(root, folder, 'package.json'))) as Manifest;
  } catch {
    return {};
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
