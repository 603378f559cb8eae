import { expect, it } from 'vitest';
import { describeSkippedInCi } from '../../../src/compose/gate/skipped-in-ci.ts';
import type { TestCase } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const test = (file: string, name: string, status: TestCase['status']): TestCase => ({
  ...{ id: `${file} > ${name}`, name, file, status },
});

it('names tests that are skipped in files that ask for CI', () => {
  const root = temporaryFolder();
  writeFiles(root, {
    'a.test.js': "test('a', { skip: process.env.CI }, () => {});\n",
    'b.test.js': "import isCI from 'is-ci';\n",
    'c.test.js': "test.skip('c', () => {});\n",
  });
  const tests = [test('a.test.js', 'a', 'skipped'), test('c.test.js', 'c', 'skipped')];
  expect(describeSkippedInCi(root, { tests })).toEqual([
    'The checks run with CI=1, as in CI, and 1 test of files that ask for CI was skipped: a.test.js > a. Nothing was judged by it.',
  ]);
  const both = [...tests, test('b.test.js', 'b', 'skipped')];
  expect(describeSkippedInCi(root, { tests: both })[0]).toMatch(/2 tests .* were skipped: .* by them\.$/);
  const none = [test('a.test.js', 'a', 'passed'), test('c.test.js', 'c', 'skipped')];
  expect(describeSkippedInCi(root, { tests: none })).toEqual([]);
});
