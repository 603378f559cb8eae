import { beforeAll, describe, expect, it } from 'vitest';
import { repairCommit, type CommitResult } from '../../../../bench/datasets/commits/repair.ts';
import {
  commitAll,
  fingerprintOf,
  git,
  NODE_TEST_FILES,
  repositoryWith,
  writeFiles,
  type Files,
} from '../../../support/repositories.ts';

const { signal } = new AbortController();
const TEST = String(NODE_TEST_FILES['test/add.test.js']);
const addWith = (operator: string, more = ''): string =>
  `export function add(a, b) {\n  return a ${operator} b;\n}\n\nexport function twice(a) {\n  return add(a, a);\n}\n${more}`;

let clone: string;

beforeAll(() => {
  clone = repositoryWith({ ...NODE_TEST_FILES, 'test/add.test.js': "import '../src/add.js';\n" });
});

function commitOf(files: Files, message: string): string {
  writeFiles(clone, files);
  commitAll(clone, message);
  return git(clone, 'rev-parse', 'HEAD').trim();
}

function repair(commit: string, to: AbortSignal = signal): Promise<CommitResult> {
  return repairCommit({ repository: 'adder', clone, commit }, { budgetMs: 40_000, signal: to });
}

describe('repairCommit', { timeout: 240_000 }, () => {
  it('rebuilds a bug, repairs it and compares the repair with the fix', async () => {
    const fix = commitOf({ 'src/add.js': addWith('+'), 'test/add.test.js': TEST }, 'Adds, not subtracts');
    const before = fingerprintOf(clone);
    const result = await repair(fix.slice(0, 10));
    expect(result).toMatchObject({
      repository: 'adder',
      commit: fix,
      subject: 'Adds, not subtracts',
      outcome: 'repaired',
      failing_tests: 2,
      skipped_checks: [],
      same: 'text',
      edits: [expect.stringContaining('a + b')],
    });
    expect(result.patch).toMatch(/^\+ {2}return a \+ b;$/m);
    expect(result.developer_patch).toMatch(/^\+ {2}return a \+ b;$/m);
    expect(result.developer_patch).not.toContain('add.test.js');
    expect(fingerprintOf(clone)).toBe(before);
  });

  it('reports a commit as not reproducible if its tests pass without it', async () => {
    const commit = commitOf({ 'src/add.js': addWith('+', '\nexport const zero = 0;\n') }, 'Adds a constant');
    const result = await repair(commit);
    expect(result).toMatchObject({
      outcome: 'not reproducible',
      seconds: 0,
      patch: '',
      same: null,
      reason: 'Every test that passes with the fix also passes without it.',
    });
    expect(result.developer_patch).toContain('+export const zero = 0;');
  });

  it('ignores tests that fail with the fix as well, and requires every other', async () => {
    const aged = `${TEST}test('aged', () => { assert.equal(new Date(0).getFullYear(), 2000); });\n`;
    commitOf({ 'src/add.js': addWith('-'), 'test/add.test.js': "import '../src/add.js';\n" }, 'Back');
    const fix = commitOf({ 'src/add.js': addWith('+'), 'test/add.test.js': aged }, 'Adds again');
    expect(await repair(fix)).toMatchObject({
      outcome: 'repaired',
      failing_tests: 2,
      drifted_tests: 1,
      tests_only: true,
      same: 'text',
    });
  });

  it('runs only the tests if the rest of npm test fails with the fix as well', async () => {
    const manifest = NODE_TEST_FILES['package.json'] as object;
    const scripts = { test: 'node --test && node --input-type=module --eval "process.exit(3)"' };
    const files = { 'package.json': { ...manifest, scripts }, 'test/add.test.js': TEST };
    commitOf({ ...files, 'src/add.js': addWith('-') }, 'Back, with more to test');
    const fix = commitOf({ 'src/add.js': addWith('+') }, 'Adds once more');
    expect(await repair(fix)).toMatchObject({ outcome: 'repaired', tests_only: true, drifted_tests: 0 });
    commitOf({ 'package.json': manifest as Record<string, unknown> }, 'Plain again');
  });

  it('skips a linter that only npm test runs no longer than npm test has it', async () => {
    const manifest = NODE_TEST_FILES['package.json'] as object;
    const scripts = { test: 'prettier --check missing && node --test' };
    const files = { 'package.json': { ...manifest, scripts }, 'test/add.test.js': TEST };
    commitOf({ ...files, 'src/add.js': addWith('-') }, 'Back, with a linter in the test');
    const fix = commitOf({ 'src/add.js': addWith('+') }, 'Adds with a linter');
    expect(await repair(fix)).toMatchObject({
      outcome: 'repaired',
      tests_only: true,
      skipped_checks: [],
      confidence: expect.any(Number),
      rationale: [expect.stringContaining('confidence 0.')],
    });
    commitOf({ 'package.json': manifest as Record<string, unknown> }, 'Plain once more');
  });

  it('reports a commit as not reproducible if its tests fail with it', async () => {
    const commit = commitOf({ 'src/add.js': addWith('*') }, 'Breaks it');
    const result = await repair(commit);
    expect(result.outcome).toBe('not reproducible');
    expect(result.reason).toMatch(/^With the fix: tests: \d of 3 failed, such as /);
  });

  it.each([
    ['no-such-commit', /has no commit no-such-commit/],
    ['the first commit', /The commit has no parent/],
  ])('gives the reason why %s cannot be repaired', async (name, reason) => {
    const first = git(clone, 'rev-list', '--max-parents=0', 'HEAD').trim();
    expect(await repair(name === 'the first commit' ? first : name)).toMatchObject({
      outcome: 'not reproducible',
      reason: expect.stringMatching(reason),
    });
  });

  it('rejects a commit that changes no source file', async () => {
    const commit = commitOf({ 'README.md': 'Adds.\n', 'test/other.test.js': '' }, 'Words');
    expect(await repair(commit)).toMatchObject({ reason: 'The commit changes no source file.' });
  });

  it('rejects when it is stopped', async () => {
    const commit = commitOf({ 'src/add.js': addWith('+') }, 'Fixes it again');
    await expect(repair(commit, AbortSignal.abort())).rejects.toThrow();
  });
});
