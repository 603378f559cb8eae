import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

/** Calls in a test by which it changes what the code under test finds: mocks, globals, variables. */
const CHANGED_BY_TESTS =
  /\b(vi|jest|vitest|td|mock|t\.mock)\.(mock|doMock|unmock|stub|spyOn|module|method|replace|setSystemTime|resetModules|isolateModules)\w*\(|\b(sinon|proxyquire|nock|msw|rewire|mock-fs|memfs|testdouble)\b|\b(globalThis|global|window|process\.env|process\.\w+)(\.\w+|\[[^\]]+\])*\s*=[^=]|\bprocess\.(chdir|umask)\(|\b(stubGlobal|stubEnv|defineProperty)\(|@(vitest|jest)-environment/;

/** Calls in a test that make files, which code that reaches outside of the process may find. */
const FILES_OF_TESTS = /\b(writeFile|mkdtemp|mkdir|appendFile|symlink|copyFile|cp)(Sync)?\(/;

/** Settings by which a runner changes what the code under test finds. */
const CHANGED_BY_SETTINGS =
  /jsdom|happy-dom|\b(testEnvironment|setupFiles\w*|globalSetup|globals?Env|moduleNameMapper|transform|preset|environment|alias|define|plugins|env|globals)\b\s*["']?\s*:|--(require|import|loader|experimental-loader|env-file)\b|(^|\s)-r\b/;

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

/** True if a test changes what the code under test finds in ways that a repetition of the calls does not. */
export function changesSurroundings(testText: string): boolean {
  return CHANGED_BY_TESTS.test(testText);
}

/** True if a test makes files, which matters to code that reaches outside of the process. */
export function makesFiles(testText: string): boolean {
  return FILES_OF_TESTS.test(testText);
}

/** True if a runner's configuration or arguments change what the code under test finds. */
export function settingsChangeSurroundings(text: string): boolean {
  return CHANGED_BY_SETTINGS.test(text);
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
