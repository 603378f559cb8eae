/** Temporary repositories with real tools. */
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { afterAll } from 'vitest';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** Files by path; a text, or a value that is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A folder that goes with the test file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-test-')));
  made.push(folder);
  return folder;
}

/** A committed repository with these files; `modules` names packages of ralph's own that it gets as dependencies. */
export function repositoryWith(files: Files, modules: readonly string[] = []): string {
  const root = temporaryFolder();
  writeFiles(root, { '.gitignore': 'node_modules\n', ...files });
  linkModules(root, modules);
  git(root, 'init', '--quiet', '--initial-branch=main');
  commitAll(root);
  return root;
}

export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

export function linkModules(root: string, modules: readonly string[]): void {
  for (const name of modules) {
    const target = join(root, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(MODULES, name), target);
  }
}

export function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
  const leaveIndex = ['-c', 'diff.autoRefreshIndex=false'];
  return execaSync('git', [...identity, ...leaveIndex, ...args], {
    cwd,
    stdin: 'ignore',
    stripFinalNewline: false,
  }).stdout;
}

export function commitAll(root: string, message = 'start'): void {
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
}

/** One value for everything of the user's: files with modes, the index, HEAD and every ref. `.aiwg` is ralph's own. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(root, '.git', 'index')));
  hash.update(git(root, 'for-each-ref'));
  hash.update(readFileSync(join(root, '.git', 'HEAD')));
  addFolder(hash, root, '');
  return hash.digest('hex');
}

function addFolder(hash: ReturnType<typeof createHash>, root: string, path: string): void {
  for (const name of readdirSync(join(root, path)).sort()) {
    if (path === '' && (name === '.git' || name === '.aiwg')) continue;
    const inner = join(path, name);
    const stat = lstatSync(join(root, inner));
    hash.update(`${inner}\0${stat.mode}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(join(root, inner)));
    else if (stat.isDirectory()) addFolder(hash, root, inner);
    else hash.update(readFileSync(join(root, inner)));
  }
}

/** A package without dependencies whose node:test suite fails for one wrong operator. */
export const NODE_TEST_FILES: Files = {
  'package.json': { name: 'adder', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
  'src/add.js':
    'export function add(a, b) {\n  return a - b;\n}\n\nexport function twice(a) {\n  return add(a, a);\n}\n',
  'test/add.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add, twice } from '../src/add.js';\n\n" +
    "test('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\ntest('adds nothing', () => {\n  assert.equal(add(7, 0), 7);\n});\ntest('doubles', () => {\n  assert.equal(twice(4), 8);\n});\n",
};

/**
 * The package of `NODE_TEST_FILES` with a check that only looks at the source. ralph judges it by its exit code, and starts no
 * tests again and again for its proofs: a verified loop takes 1.4 instead of 3.5 s of CPU. For tests about anything else than
 * tests and proofs.
 */
export const QUICK_FILES: Files = {
  'package.json': { name: 'adder', version: '1.0.0', type: 'module', scripts: { test: 'sh test/check.sh' } },
  'src/add.js': NODE_TEST_FILES['src/add.js']!,
  'ralph.config.json': { checks: { tests: 'sh test/check.sh' } },
  'test/check.sh': "grep -q 'a + b' src/add.js && exit\necho 'add(2, 3) is -1, not 5' >&2\nexit 1\n",
};

/** A shell command that makes the honest repair of `NODE_TEST_FILES` and `QUICK_FILES`. */
export const HONEST_FIX = "sed -i 's/a - b/a + b/' src/add.js";
