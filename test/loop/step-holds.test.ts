import { expect, it } from 'vitest';
import { stepHolds } from '../../src/loop/step-holds.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';
import { evaluation, failure } from '../support/scripted.ts';

const lead = { ...failure(0), rule: 'adds', file: 'test/cart.test.js', line: 8 };
const present = {
  ...evaluation(1, 2, { diagnostics: [lead] }),
  tests: [
    { id: 'adds', name: 'adds', status: 'failed' as const },
    { id: 'refuses', name: 'refuses', status: 'passed' as const },
  ],
};

it.each([
  ['the test fails', 'find the smallest input with which the test "adds" still fails', true],
  ['the test does not fail', 'find the smallest input with which the test "rounds" still fails', false],
  ['the other test passes', 'compare the test "adds" with "refuses" of the same file, which passes', true],
  ['the other test is gone', 'compare the test "adds" with "sums" of the same file, which passes', false],
  ['the line has the code', 'check whether `sum` (1500) at src/cart.js:2 is right', true],
  ['another line has the code', 'check whether `sum` (1500) at src/cart.js:1 is right', false],
  ['the file is gone', 'check whether `sum` (1500) at src/basket.js:2 is right', false],
  [
    'the place is that of a failure',
    'check whether `sum` (1) at src/cart.js:2 is right for test/cart.test.js:8',
    true,
  ],
  [
    'the place was that of a failure',
    'check whether `sum` (1) at src/cart.js:2 is right for test/cart.test.js:80',
    false,
  ],
  ['the quoted line is cut off', 'print the values in `return s…` at src/cart.js:2', true],
  ['the code follows the place', 'In src/cart.js:2, replace `sum` with `total`.', true],
  ['the code that follows is gone', 'In src/cart.js:2, replace `total` with `sum`.', false],
  ['the step names no place', 'read the output', true],
])('a step holds by what is there: %s', (_, step, holds) => {
  const root = temporaryFolder();
  writeFiles(root, { 'src/cart.js': 'let count = 0;\nreturn sum;\n', 'test/cart.test.js': 'test();\n' });
  expect(stepHolds(step, present, root)).toBe(holds);
});
