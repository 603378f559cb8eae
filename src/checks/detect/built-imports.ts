import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { runGit } from '../../platform/git/git.ts';
import { relativeTo } from './manifest.ts';
import type { PackageContext } from './package-context.ts';
import { findTestFiles } from './test-files.ts';

const MAX_FILES = 60;
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}(?:\/[^'"\n]*)?)\1/g;
const SOURCE = /\.[cm]?jsx?$/;

/**
 * A file that the tests of a package import and that git ignores, relative to the root: only a build makes it. Undefined
 * if there is none. The test files' relative imports are read, in the first 60 of them, and the entries that the
 * package.json of an imported folder names. Never rejects.
 */
export async function findBuiltImport({ root, dir }: PackageContext): Promise<string | undefined> {
  const files = findTestFiles(dir).slice(0, MAX_FILES);
  const paths = files.flatMap((file) => importsOf(dir, file)).filter((path) => !hasSource(join(dir, path)));
  const candidates = [...new Set(paths.map((path) => posix.join(relativeTo(root, dir), path)))];
  const inside = candidates.filter((path) => !path.startsWith('../') && !path.includes('node_modules/'));
  if (inside.length === 0) return undefined;
  const input = inside.map((path) => `${path}\0`).join('');
  const { exitCode, stdout } = await runGit(['check-ignore', '-z', '--stdin'], { cwd: root, input });
  return exitCode === 0 ? stdout.toString('utf8').split('\0')[0] : undefined;
}

/** Paths that a file imports, relative to `dir` with forward slashes. */
function importsOf(dir: string, file: string): string[] {
  return [...textOf(join(dir, file)).matchAll(RELATIVE_IMPORT)].flatMap(([, , name]) => {
    const path = posix.join(posix.dirname(file), name!);
    return isFolder(join(dir, path)) ? entriesOf(dir, path) : [path];
  });
}

/** Files that the package.json of a folder names as its entries. */
function entriesOf(dir: string, folder: string): string[] {
  const text = textOf(join(dir, folder, 'package.json'));
  const [, main] = /"main"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  if (main === undefined) return [];
  const path = posix.join(folder, main);
  return [isFolder(join(dir, path)) ? posix.join(path, 'index.js') : path];
}

/** `./text.js` and `./text` may name `text.ts`, as TypeScript wants it. */
function hasSource(path: string): boolean {
  return ['ts', 'tsx', 'mts', 'cts'].some((end) => existsSync(`${path.replace(SOURCE, '')}.${end}`));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
