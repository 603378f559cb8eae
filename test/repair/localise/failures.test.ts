import { expect, test } from 'vitest';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import { failureGroups } from '../../../src/repair/localise/failures.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

/** The files of the groups of a test that failed without a file and a stack, as TAP reports a wrong plan. */
function groupFiles(files: Files): string[] {
  const root = temporaryFolder();
  writeFiles(root, files);
  const id = 'unshift (first) > plan != count';
  const context = {
    root,
    project: { checks: [{ name: 'tests', kind: 'tests' }] },
    evaluation: {
      tests: [{ id, name: id, status: 'failed' }],
      diagnostics: [
        { check: 'tests', severity: 'error', type: 'test_failure', test_id: id, message: 'plan != count' },
      ],
    },
  } as unknown as AttemptContext;
  return failureGroups(context).map(({ file, tests, diagnostics }) => {
    expect([tests.length, diagnostics.length]).toEqual([1, 1]);
    return file;
  });
}

const DECLARED = `test('unshift (first)', (t) => t.plan(2));`;

test('a failure that names no file belongs to the test files that declare its test', () => {
  expect(
    groupFiles({
      'test/queue.js': DECLARED,
      'test/other.js': `test('unshift first', () => {}); // unshift (first)`,
      'queue.js': DECLARED,
    }),
  ).toEqual(['test/queue.js']);
  expect(groupFiles({ 'test/a.js': DECLARED, 'b.test.js': DECLARED })).toEqual(['b.test.js', 'test/a.js']);
});

test('it belongs to none where too many test files declare one of its name', () => {
  expect(
    groupFiles({
      'test/a.js': DECLARED,
      'test/b.js': DECLARED,
      'test/c.js': DECLARED,
      'test/d.js': DECLARED,
    }),
  ).toEqual([]);
});

/** The files of the groups where a crash in `src/a.js` ended the tests, beside what else was reported. */
function crashFiles(files: readonly string[], tests: readonly object[] = [], place = 'src/a.js'): string[] {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(files.map((file) => [file, ''])));
  const crash = { check: 'tests', severity: 'error', type: 'runtime_error', message: 'null', file: place };
  const context = {
    root,
    project: { checks: [{ name: 'tests', kind: 'tests' }] },
    evaluation: { tests, diagnostics: [crash] },
  } as unknown as AttemptContext;
  return failureGroups(context).map(({ file }) => file);
}

test('a crash in a source belongs to the test files, where they are few and no test failed', () => {
  expect(crashFiles(['test/a.test.js', 'test/b.test.js', 'src/a.js'])).toEqual([
    'test/a.test.js',
    'test/b.test.js',
  ]);
  expect(crashFiles(['test/a.test.js', 'test/b.test.js'], [], 'test/b.test.js')).toEqual(['test/b.test.js']);
  const failed = { id: 'x', name: 'x', status: 'failed', file: 'test/b.test.js' };
  expect(crashFiles(['test/a.test.js', 'test/b.test.js'], [failed])).toEqual(['test/b.test.js']);
  expect(crashFiles(['a', 'b', 'c', 'd'].map((name) => `test/${name}.test.js`))).toEqual([]);
});
