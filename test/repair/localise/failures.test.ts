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
