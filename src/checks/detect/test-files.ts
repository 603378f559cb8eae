import { type Dirent, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED = new Set(['node_modules', 'dist', 'build', 'out', 'lib', 'coverage', 'fixtures', 'vendor']);
const MAX_DEPTH = 6;
const MAX_ENTRIES = 5000;
const MAX_READ = 40;

/** What `node --test` picks up by itself (Node.js documentation, "Running tests from the command line"). */
const NODE_TEST_FILE = /(^|\/)(test|test-[^/]*|[^/]*[._-]test)\.[cm]?[jt]s$|(^|\/)test\/.*\.[cm]?[jt]s$/;
const TEST_FILE =
  /[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)(tests?|spec|__tests__)\/.*\.[cm]?[jt]sx?$|(^|\/)test\.[cm]?[jt]sx?$/;

/**
 * Files under `dir` (absolute) that look like tests, relative to it with forward slashes. Bounded in depth and
 * number, for speed: an empty answer means none, a long one may not be complete.
 */
export function findTestFiles(dir: string): string[] {
  return listFiles(dir).filter((file) => TEST_FILE.test(file));
}

/** Whether some file that `node --test` would pick up in `dir` (absolute) uses Node's own test module. */
export function hasNodeTests(dir: string): boolean {
  const files = listFiles(dir).filter((file) => NODE_TEST_FILE.test(file) && !file.endsWith('.d.ts'));
  return files.slice(0, MAX_READ).some((file) => importsNodeTest(join(dir, file)));
}

function importsNodeTest(path: string): boolean {
  try {
    return /['"]node:test['"]/.test(readFileSync(path, 'utf8'));
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
