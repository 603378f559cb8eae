import { expect, it } from 'vitest';
import { isQuick } from '../../../src/proof/verify/quick-runs.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

const took = (ms?: number, status: TestCase['status'] = 'passed'): TestCase => ({
  id: 'a',
  name: 'a',
  status,
  duration_ms: ms,
});

it.each([
  ['short', 900, [], true],
  ['long', 1_100, [], false],
  ['of short tests', 2_000, [took(20), took(300)], true],
  ['with a long test', 2_000, [took(20), took(301)], false],
  ['with a test that does not say how long it took', 2_000, [took(20), took()], false],
  ['with a skipped test', 2_000, [took(20), took(undefined, 'skipped')], true],
  ['of skipped tests', 2_000, [took(undefined, 'skipped')], false],
  ['of many short tests', 5_000, [took(20)], false],
])('others run beside a run that is quick: %s', (_, ms, tests, expected) => {
  expect(isQuick({ duration_ms: ms }, tests)).toBe(expected);
});
