import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

const IGNORED = new Set(['node_modules', 'dist', 'build', 'out', 'lib', 'coverage', 'fixtures', 'vendor']);
const MAX_DEPTH = 6;
const MAX_ENTRIES = 5000;
const MAX_READ = 40;

/** Files that `node --test` runs by default: https://nodejs.org/api/test.html#running-tests-from-the-command-line */
const NODE_TEST_FILE = /(^|\/)(test|test-[^/]*|[^/]*[._-]test)\.[cm]?[jt]s$|(^|\/)test\/.*\.[cm]?[jt]s$/;
const TEST_FILE =
  /[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)(tests?|spec|__tests__)\/.*\.[cm]?[jt]sx?$|(^|\/)test\.[cm]?[jt]sx?$/;

/**
 * Files under `dir` (absolute) that are named like tests, relative to it with forward slashes. The search is bounded
 * in depth and number of files, so that a long list may be incomplete.
 */
export function findTestFiles(dir: string): string[] {
  return listFiles(dir).filter((file) => TEST_FILE.test(file));
}

/** Whether a file that `node --test` runs by default in `dir` (absolute) imports `node:test`. */
export function hasNodeTests(dir: string): boolean {
  const files = listFiles(dir).filter((file) => NODE_TEST_FILE.test(file) && !file.endsWith('.d.ts'));
  return files.slice(0, MAX_READ).some((file) => importsNodeTest(join(dir, file)));
}

/**
 * Whether a script (absolute path; `.js` and `/index.js` may be left out) imports `node:test`, itself or in a file of
 * its own folder that it imports.
 */
export function declaresNodeTests(path: string): boolean {
  const file = ['', '.js', '/index.js', '/index.mjs', '/index.cjs'].map((end) => path + end).find(isFile);
  if (file === undefined) return false;
  if (importsNodeTest(file)) return true;
  const imported = [...readTreeTextSync(file).matchAll(/['"](\.\/[^'"]+)['"]/g)].slice(0, MAX_READ);
  return imported.some(([, name]) => importsNodeTest(join(dirname(file), name!)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function importsNodeTest(path: string): boolean {
  try {
    return /['"]node:test['"]/.test(readTreeTextSync(path));
  } catch {
    return false;
  }
}

function listFiles(dir: string): string[] {
  const files: string[] = [];
  const queue: (readonly [path: string, depth: number])[] = [['', 0]];
  for (let seen = 0; queue.length > 0 && seen < MAX_ENTRIES;) {
    const [path, depth] = queue.shift()!;
    const entries = entriesOf(join(dir, path));
    seen += entries.length;
    for (const entry of entries) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && depth < MAX_DEPTH && isVisited(entry.name))
        queue.push([inside, depth + 1]);
    }
  }
  return files;
}

function isVisited(name: string): boolean {
  return !name.startsWith('.') && !IGNORED.has(name);
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
