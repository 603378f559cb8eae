import { expect, it } from 'vitest';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { onceTestsPass } from '../../../src/proof/verify/once-tests-pass.ts';
import { planFor } from '../../support/checks.ts';

const CHECKS = [
  { plan: planFor('mocha', { name: 'tests' }) },
  { plan: planFor('node', { name: 'tests-2' }) },
  { plan: planFor('eslint', { name: 'lint' }) },
];

it.each<[string, [name: string, status: CheckReport['status']][], begun: number[]]>([
  [
    'the tests pass',
    [
      ['tests', 'pass'],
      ['tests-2', 'pass'],
      ['lint', 'pass'],
    ],
    [2],
  ],
  [
    'the tests pass before the linter fails',
    [
      ['tests', 'pass'],
      ['tests-2', 'skip'],
      ['lint', 'fail'],
    ],
    [2],
  ],
  [
    'the linter passes first',
    [
      ['lint', 'pass'],
      ['tests-2', 'pass'],
      ['tests', 'pass'],
    ],
    [3],
  ],
  [
    'the linter fails first',
    [
      ['lint', 'fail'],
      ['tests-2', 'pass'],
      ['tests', 'pass'],
    ],
    [],
  ],
  [
    'some tests fail',
    [
      ['tests', 'fail'],
      ['tests-2', 'pass'],
      ['lint', 'pass'],
    ],
    [],
  ],
  [
    'some tests cannot run',
    [
      ['tests', 'pass'],
      ['tests-2', 'error'],
      ['lint', 'pass'],
    ],
    [],
  ],
])('begins once, when %s', (_, done, expected) => {
  const begun: number[] = [];
  let ended = 0;
  const onDone = onceTestsPass(CHECKS, () => begun.push(ended));
  for (const [name, status] of done) {
    ended++;
    onDone({ name, status });
  }
  expect(begun).toEqual(expected);
});
