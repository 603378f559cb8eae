import { expect, test } from 'vitest';
import { compareTests } from '../../../src/repair/trial/cold-trial.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

const cases = (status: Record<string, TestCase['status']>, file?: string): TestCase[] =>
  Object.entries(status).map(([id, it]) => ({
    id,
    name: id,
    status: it,
    ...(file !== undefined && { file }),
  }));

test('a test whose file is run alone is the one that the whole run names with its file', () => {
  const before = cases({
    'add.test.js > test 1': 'failed',
    'add.test.js > test 2': 'passed',
    'mul.test.js > test 2': 'failed',
  });
  const files = ['test/add.test.js'];
  const compare = (status: Record<string, TestCase['status']>) =>
    compareTests(before, { tests: cases(status) }, files);
  expect(compare({ 'test 1': 'failed', 'test 2': 'passed' })).toEqual({ fixed: [], broken: [] });
  expect(compare({ 'test 1': 'passed', 'test 2': 'passed' })).toEqual({
    fixed: ['add.test.js > test 1'],
    broken: [],
  });
  expect(compare({ 'test 1': 'passed', 'test 2': 'failed' })).toEqual({
    fixed: ['add.test.js > test 1'],
    broken: ['add.test.js > test 2'],
  });
});

test('tests behind a crash count as fixed where no test names its file', () => {
  const before = cases({ 'parse > equal': 'passed' });
  const after = { tests: cases({ 'parse > equal': 'passed', 'parse null > equal': 'passed' }) };
  expect(compareTests(before, after, undefined)).toEqual({ fixed: ['parse null > equal'], broken: [] });
  expect(compareTests(before, { tests: cases({ 'parse null > equal': 'passed' }) }, undefined)).toEqual({
    fixed: ['parse null > equal'],
    broken: ['parse > equal'],
  });
});

test('a test that was not reported before is fixed, and one that is not any more is broken', () => {
  const before = cases({ a: 'passed', b: 'passed' }, 'test/a.test.js');
  const after = { tests: cases({ a: 'passed', new: 'passed' }, 'test/a.test.js') };
  expect(compareTests(before, after, undefined)).toEqual({ fixed: ['new'], broken: ['b'] });
  expect(compareTests(before, after, ['test/b.test.js'])).toEqual({ fixed: ['new'], broken: [] });
});
