import { expect, it } from 'vitest';
import { parseTap } from '../../../src/checks/parsers/tap.ts';
import { withoutThrown } from '../../../src/checks/results/thrown-points.ts';
import { toTestResults } from '../../../src/checks/results/test-results.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import type { Diagnostic, TestCase } from '../../../src/schema/generated.ts';

const ORIGIN = { check: 'tests', paths: createTreePaths('/tree', '/tree') };

/** Tests and diagnostics of a test of tap with these points. */
function read(...points: string[]): { tests: TestCase[]; diagnostics: Diagnostic[] } {
  const lines = points.map((point) => `        ${point.replaceAll('\n', '\n    ')}\n`).join('');
  const ended = points.some((point) => point.startsWith('not ok')) ? 'not ok' : 'ok';
  const inner = `    # Subtest: an entry\n${lines}        1..${points.length}\n    ${ended} 1 - an entry\n`;
  const text = `TAP version 13\n# Subtest: a.test.js\n${inner}    1..1\n${ended} 1 - a.test.js\n1..1\n`;
  const { results } = toTestResults(parseTap(text)!, ORIGIN);
  return {
    tests: results.map(({ test }) => test),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  };
}

const THROWN =
  'not ok 1 - The path must be a string\n      ---\n      type: TypeError\n      tapCaught: testFunctionThrow\n      ...';
const COMPARED = 'not ok 1 - should be equal\n      ---\n      found: 1\n      wanted: 2\n      ...';

it('does not require an error that a test of tap threw, where the test passes now', () => {
  const { tests, diagnostics } = read(THROWN);
  expect(diagnostics[0]).toMatchObject({
    type: 'runtime_error',
    message: 'TypeError: The path must be a string',
  });
  expect(withoutThrown(tests, read('ok 1 - should be equal').tests, diagnostics)).toEqual([]);
});

it.each<[string, string, readonly string[]]>([
  ['an assertion', COMPARED, ['ok 1 - other']],
  ['an error, where the test throws another one', THROWN, [THROWN.replace('path', 'name')]],
  ['an error, where one of its points fails', THROWN, ['ok 1 - a', COMPARED.replace('1 -', '2 -')]],
  ['an error, where the test has no point', THROWN, []],
])('requires %s', (_, before, now) => {
  const { tests, diagnostics } = read(before);
  const after = now.length === 0 ? [] : read(...now).tests;
  expect(withoutThrown(tests, after, diagnostics)).toEqual(tests);
});

it('does not require a rejected test of tape, which is named by its error, where the test passes now', () => {
  const rejected = 'not ok 1 - Error: queue is empty\n      ---\n      operator: fail\n      ...';
  const { tests, diagnostics } = read(rejected);
  expect(tests[0]!.name).toMatch(/ > Error: queue is empty$/);
  expect(withoutThrown(tests, read('ok 1 - should be equal').tests, diagnostics)).toEqual([]);
  expect(withoutThrown(tests, read(COMPARED).tests, diagnostics)).toEqual(tests);
});
