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

const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"`])(\.{1,2}\/[^'"`]+)\1/g;
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

/** Files of the repository that a file imports by relative names, directly. */
export function importedFiles(root: string, file: string): string[] {
  const names = [...textOf(root, file).matchAll(IMPORTS)].map(([, , name]) => name!);
  return names.flatMap((name) => {
    const path = posix.join(posix.dirname(file), name);
    const bare = path.replace(/\.[cm]?js$/, '');
    const found = [...ENDINGS.map((end) => path + end), ...ENDINGS.map((end) => bare + end)];
    return found.filter((it) => textOf(root, it) !== '').slice(0, 1);
  });
}

function reached(root: string, source: string): Set<string> {
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
