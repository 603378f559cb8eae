import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import { withoutEnding } from './changed-by-tests.ts';
import { isNone, type Changes } from './changes.ts';

/** Calls in a test that make files, which code that reaches outside of the process may find. */
const FILES_OF_TESTS = /\b(writeFile|mkdtemp|mkdir|appendFile|symlink|copyFile|cp)(Sync)?\(/;

/** Variables of a module that can change, and collections that begin empty. */
const STATE =
  /^(export\s+)?(let|var)\s|^(export\s+)?const\s+\w+(\s*:[^=]+)?\s*=\s*(new (Weak)?(Map|Set)|\[\s*\]|\{\s*\}|Object\.create\(null\))/m;

/** Objects of a module that other modules can change. */
const OBJECT = /^(export\s+)?(let|var)\s|^(export\s+)?const\s+\w+(\s*:[^=]+)?\s*=\s*(new\s|\[|\{|Object\.)/m;

/** Modules and functions that reach outside of the process. */
const OUTSIDE =
  /['"`](node:)?(fs|child_process|https?|net|dgram|os|worker_threads|sqlite|dns|tls|cluster)(\/promises)?['"`]|\bfetch\(/;

/** The modules for files, and what in them does more than read. */
const FILE_MODULES = /(['"`])(node:)?fs(\/promises)?\1/g;
const ACTS =
  /\b((write|append|copy|make|create|remove|chmod|chown|utimes|watch|truncate|rename|symlink|mkdir|mkdtemp)\w*|f(sync|chmod|chown|truncate)\w*|l(chmod|chown|utimes)\w*|(cp|rm|rmdir|open|unlink|link)(Sync)?)\s*[(,}:]|\bfs\s*(\?\.)?\[/;

const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"`])(\.{1,2}\/[^'"`]+|#[^'"`\n]+)\1/g;
const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** True if a test makes files, which matters to code that reaches outside of the process. */
export function makesFiles(testText: string): boolean {
  return FILES_OF_TESTS.test(testText);
}

/** True if a source, or one that it imports from the repository, may remember earlier calls. */
export function mayHoldState(root: string, source: string): boolean {
  return [...reached(root, source)].some((path) => STATE.test(textOf(root, path)));
}

/**
 * True if the other files that tests import may change what a source finds: objects of modules that both reach, and what
 * lies outside of the process.
 */
export function mayBeSetUpBy(root: string, source: string, others: readonly string[]): boolean {
  if (others.length === 0) return false;
  const own = [...reached(root, source)];
  const set = new Set(others.flatMap((file) => [...reached(root, file)]));
  return own.some((path) => {
    const text = textOf(root, path);
    return OUTSIDE.test(text) || (set.has(path) && path !== source && OBJECT.test(text));
  });
}

/** True if a source, or one that it imports from the repository, reaches outside of the process. */
export function reachesOutside(root: string, source: string): boolean {
  return [...reached(root, source)].some((path) => OUTSIDE.test(textOf(root, path)));
}

/** True if a source, or one that it imports from the repository, may do more outside of the process than read files. */
export function actsOutside(root: string, source: string): boolean {
  return [...reached(root, source)].some((path) => {
    const text = textOf(root, path);
    return OUTSIDE.test(text) && (OUTSIDE.test(text.replaceAll(FILE_MODULES, '')) || ACTS.test(text));
  });
}

/** True if a source, or one that it imports from the repository, contains what tests or settings change. */
export function findsChanges(root: string, source: string, changes: Changes): boolean {
  if (isNone(changes)) return false;
  if (changes.isUnknown) return true;
  const paths = [...reached(root, source)];
  const texts = paths.map((path) => textOf(root, path));
  const words = changes.words.length > 0 ? anyWord(changes.words) : undefined;
  const replaced = new Set(changes.modules);
  return (
    paths.some((path) => replaced.has(withoutEnding(path))) ||
    texts.some(
      (text) =>
        importsPackage(text) ||
        words?.test(text) === true ||
        (changes.outside && OUTSIDE.test(text)) ||
        (changes.state && STATE.test(text)) ||
        namedModules(text).some((name) => replaced.has(name.replace(/^node:/, ''))),
    )
  );
}

const NAMED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|getBuiltinModule\(\s*)(['"`])([^'"`\n]+)\1/g;

function namedModules(text: string): string[] {
  return [...text.matchAll(NAMED)].map(([, , name]) => name!);
}

/** True for a text that imports a package, which may find anything. */
function importsPackage(text: string): boolean {
  const values = text.replaceAll(/^\s*(import|export)\s+type\b[^;'"]*(['"])[^'"\n]*\2/gm, '');
  return namedModules(values).some((name) => !name.startsWith('.') && !isBuiltin(name));
}

function anyWord(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$])(${[...new Set(words)].map(escapeRegExp).join('|')})(?![\\w$])`);
}

/** Files of the repository that a file imports by relative names, or by names of its package such as `#clock`, directly. */
export function importedFiles(root: string, file: string): string[] {
  const names = [...textOf(root, file).matchAll(IMPORTS)].map(([, , name]) => name!);
  return names.flatMap((name) => {
    const path = name.startsWith('#')
      ? (packageImport(root, file, name) ?? name)
      : posix.join(posix.dirname(file), name);
    const bare = path.replace(/\.[cm]?js$/, '');
    const found = [...ENDINGS.map((end) => path + end), ...ENDINGS.map((end) => bare + end)];
    return found.filter((it) => textOf(root, it) !== '').slice(0, 1);
  });
}

/** The file that a name of `imports` in the nearest package.json stands for. */
function packageImport(root: string, file: string, name: string): string | undefined {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const text = textOf(root, posix.join(folder, 'package.json'));
    if (text !== '') return targetIn(text, name, folder);
    if (folder === '.' || folder === '/') return undefined;
  }
}

function targetIn(packageJson: string, name: string, folder: string): string | undefined {
  try {
    const { imports = {} } = JSON.parse(packageJson) as { imports?: Record<string, unknown> };
    for (const [key, target] of Object.entries(imports)) {
      const [before, after] = key.split('*');
      const isMatch = after === undefined ? key === name : name.startsWith(before!) && name.endsWith(after);
      const path = isMatch ? firstPath(target) : undefined;
      const part = after === undefined ? '' : name.slice(before!.length, name.length - after.length);
      if (path !== undefined) return posix.join(folder, path.replaceAll('*', part));
    }
  } catch {
    // A text that is no JSON names nothing.
  }
  return undefined;
}

/** The first path among conditions. */
function firstPath(target: unknown): string | undefined {
  if (typeof target === 'string') return target.startsWith('./') ? target : undefined;
  if (typeof target !== 'object' || target === null) return undefined;
  return Object.values(target)
    .map(firstPath)
    .find((path) => path !== undefined);
}

/** A source and the files of the repository that it imports, directly or not. */
export function reached(root: string, source: string): Set<string> {
  const all = new Set([source]);
  for (const file of all) for (const next of importedFiles(root, file)) all.add(next);
  return all;
}

function textOf(root: string, path: string): string {
  try {
    return readTreeTextSync(join(root, path));
  } catch {
    return '';
  }
}
