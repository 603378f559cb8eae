import { expect, test } from 'vitest';
import { toTestFailures } from '../../../src/checks/results/test-failure.ts';
import type { ReportedError, ReportedTest } from '../../../src/checks/results/test-report.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';

const ORIGIN = { check: 'tests', paths: createTreePaths('/tree', '/tree') };
const LONG = `'${'x'.repeat(80)}'`;

test.each<[string, ReportedError, string]>([
  [
    'short values',
    { message: 'Not equal:\n\n4 !== 3', expected: '3', received: '4', isAssertion: true },
    'expected 3, received 4',
  ],
  [
    'long values',
    { message: 'Not equal:\n\n…', expected: LONG, received: '4', isAssertion: true },
    'Not equal:',
  ],
  [
    'values of several lines',
    { message: 'Not equal:', expected: '{\n  a: 1\n}', received: '{}', isAssertion: true },
    'Not equal:',
  ],
  [
    'values that look alike, as in an assertion that they differ',
    { message: 'contains 100', expected: '-1', received: '-1', isAssertion: true },
    'contains 100',
  ],
  [
    'another error',
    { name: 'TypeError', message: 'x is not a function\nat y' },
    'TypeError: x is not a function',
  ],
  ['a path of the tree', { message: '/tree/src/a.js is missing' }, 'src/a.js is missing'],
])('a failed test is described in one line: %s', (_, error, message) => {
  const failed: ReportedTest = {
    file: '/tree/a.test.js',
    path: ['cart', 'sums'],
    status: 'failed',
    errors: [error],
  };
  const passed: ReportedTest = { ...failed, path: ['other'], status: 'passed', errors: [] };
  expect(toTestFailures({ tests: [passed, failed], problems: [] }, ORIGIN)).toEqual([
    { check: 'tests', test: 'cart > sums', file: 'a.test.js', message },
  ]);
});
