import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { runGit } from '../../platform/git/git.ts';
import { createImportGraph } from '../../platform/modules/import-graph.ts';
import { relativeTo } from './packages/manifest.ts';
import type { CheckDraft, PackageContext } from './packages/package-context.ts';
import { ownEntry } from './packages/own-entry.ts';
import { findTestFiles } from './test-files.ts';
import { textOf } from '../../platform/files/text-of.ts';

const MAX_FILES = 60;
const IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;
const SOURCE = /\.[cm]?jsx?$/;

/**
 * A file that the tests of a package import and that git ignores, relative to the root: only a build makes it. Undefined
 * if there is none. The relative imports of 60 files in folders of tests are read, those of the package's own name, and the
 * entries that the package.json of an imported folder names. `tests`: the checks that run the tests. Never rejects.
 */
export async function findBuiltImport(
  { root, dir }: PackageContext,
  tests: readonly CheckDraft[],
): Promise<string | undefined> {
  const files = findTestFiles(dir).slice(0, MAX_FILES);
  const importers = new Map<string, string[]>();
  const own = ownEntry(dir);
  for (const file of files) {
    for (const path of importsOf(dir, file, own).filter((it) => !hasSource(join(dir, it)))) {
      const inRoot = posix.join(relativeTo(root, dir), path);
      importers.set(inRoot, [...(importers.get(inRoot) ?? []), file]);
    }
  }
  const inside = [...importers.keys()].filter((it) => !it.startsWith('../') && !it.includes('node_modules/'));
  if (inside.length === 0) return undefined;
  const input = inside.map((path) => `${path}\0`).join('');
  const { exitCode, stdout } = await runGit(['check-ignore', '-z', '--stdin'], { cwd: root, input });
  if (exitCode !== 0) return undefined;
  const ignored = stdout.toString('utf8').split('\0').filter(Boolean);
  const loaded = loadedFiles(files, { root, dir, tests });
  return ignored.find((path) => importers.get(path)!.some((file) => loaded.has(file)));
}

const NAMED_TEST = /\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)__tests__\//;
/** Settings by which Vitest and Jest run other files than those. */
const OTHER_NAMES = /\b(include|testMatch|testRegex|dir|projects|workspace)\b/;

interface Place extends Pick<PackageContext, 'root' | 'dir'> {
  readonly tests: readonly CheckDraft[];
}

/** A file or a pattern of such names only. */
const NAMED_OPERAND = /\.(test|spec)\.[\w*?{}(),|[\]]+$/;

/**
 * The files in folders of tests that the runner loads: Vitest and Jest choose tests by their names, such as no benchmark
 * has, and the others do so where every path in their arguments has such a name.
 */
function loadedFiles(files: readonly string[], { root, dir, tests }: Place): ReadonlySet<string> {
  const named = files.filter((file) => NAMED_TEST.test(file));
  const areNamed = tests.every(({ tool, config, args }) => {
    if (tool !== 'vitest' && tool !== 'jest') return areNamedOperands(args);
    return !OTHER_NAMES.test(args.join(' ') + textOf(join(root, config ?? 'package.json')));
  });
  if (!areNamed || named.length === 0) return new Set(files);
  const graph = createImportGraph(dir);
  return new Set(named.flatMap((file) => graph.reachedFrom(file).map((reached) => reached.file)));
}

function areNamedOperands(args: readonly string[]): boolean {
  const operands = args.filter((word) => !word.startsWith('-') && /[/*]/.test(word));
  return operands.length > 0 && operands.every((word) => NAMED_OPERAND.test(word));
}

/** Paths that a file imports, relative to `dir` with forward slashes. */
function importsOf(dir: string, file: string, own: ReturnType<typeof ownEntry>): string[] {
  return [...textOf(join(dir, file)).matchAll(IMPORT)].flatMap(([, , name]) => {
    if (name === own?.name) return [own!.file];
    if (!/^\.{1,2}(\/|$)/.test(name!)) return [];
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
