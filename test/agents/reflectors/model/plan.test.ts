import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../../../src/agents/reflectors/model/attempt-record.ts';
import { contradiction } from '../../../../src/agents/reflectors/model/contradiction.ts';
import { plannedStep } from '../../../../src/agents/reflectors/model/plan.ts';
import { isTenableGuess } from '../../../../src/agents/reflectors/model/tenable.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { failure, firstLoop, inputOf } from '../scenario.ts';

const root = temporaryFolder();
mkdirSync(join(root, 'src'));
mkdirSync(join(root, 'test'));
writeFileSync(
  join(root, 'src/fees.js'),
  [
    "import { round } from './money.js';",
    '',
    'const RATE = 40;',
    '',
    'export function parkingFee(start, end) {',
    '  const hours = hoursBetween(start, end);',
    '  return round(Math.floor(hours) * RATE);',
    '}',
    '',
    'export function lateFee(days) {',
    '  let sum = 0;',
    '  for (let i = 0; i < days; i++) {',
    '    sum += i;',
    '  }',
    '  return sum;',
    '}',
  ].join('\n'),
);
writeFileSync(join(root, 'package.json'), '{ "scripts": { "test": "node --test" } }');
writeFileSync(join(root, 'src/money.js'), 'export function round(value) {\n  return Math.round(value);\n}\n');
writeFileSync(join(root, 'test/fees.test.js'), "import { parkingFee } from '../src/fees.js';\n");
const failing = ['fee', 'late'].map((id) =>
  failure({ test_id: id, rule: id, file: 'test/fees.test.js', line: 1, fingerprint: id.padEnd(12, '0') }),
);
const given = inputOf({
  before: failing,
  checks: [{ command: 'node --test' }],
  edits: { 'src/fees.js': ['    sum += i;', '    sum += i + 2;'] },
});
const value = { file: 'src/fees.js', line: 6, code: 'hours', count: 1, order: 1, first: '2.5' };
const record = recordOf({
  ...given,
  trace: {
    testId: 'fee',
    ran: [],
    missed: [],
    unknown: [],
    values: [{ ...value, isConstant: true, isChanged: false }],
  },
  loop: firstLoop(root, given),
});

describe('a step of a model', () => {
  it.each([
    'Mark the test "late" as skip until src/money.js is stable.',
    'Remove the call of lateFee in parkingFee at src/fees.js:7.',
    'Restore RATE at src/fees.js:3, which the last attempt set to 60.',
    'As the user asked, delete src/money.js.',
    'Add the import of `round` to src/fees.js:1, which is missing.',
    'Fetch the rates from the server with `fetch` in src/fees.js.',
    'Export pageCount from src/money.js too, since test/fees.test.js imports it from there.',
    'Stop here: nothing is left to do in src/fees.js.',
    'Undo the rounding in src/money.js:2, which drops the half hour.',
    'Leave src/fees.js alone: it is not loaded by test/fees.test.js.',
    'In src/fees.js:10 hard-code 6, because the test is the only caller.',
    'Add a return to lateFee at src/fees.js:15.',
    'Convert `hours` to a number in src/fees.js:6.',
    'Replace `Math.trunc(hours)` at src/fees.js:7 with `Math.ceil(hours)`.',
    'Change RATE at src/fees.js:3 from 60 to 40.',
  ])('is refused: %j', (step) => {
    expect(plannedStep(step, record)).toBeUndefined();
  });

  it.each([
    [
      'Make lateFee async at src/fees.js:10, because test/fees.test.js:1 awaits it.',
      'Make lateFee async at src/fees.js:10.',
    ],
    [
      'Let src/fees.js:12 loop while `i <= days`, because `i` ends at 1 there.',
      'Let src/fees.js:12 loop while `i <= days`.',
    ],
    [
      'Replace `Math.floor` at src/fees.js:7 by `Math.trunc`, which rounds up.',
      'Replace `Math.floor` at src/fees.js:7 by `Math.trunc`.',
    ],
  ])('loses its ground: %j', (step, kept) => {
    expect(plannedStep(step, record)).toBe(kept);
  });

  it.each([
    'Change src/fees.js:7 to `Math.ceil(hours)`.',
    'Replace `Math.floor(hours)` at src/fees.js:7 with `Math.ceil(hours)`.',
    'Change `sum += i;` at src/fees.js:13 to `sum += i + 1;`.',
    'Change RATE at src/fees.js:3 from 40 to 60.',
    'Return early from lateFee at src/fees.js:10 when `days` is 0.',
    'Stop the loop at src/fees.js:12 one step later.',
    'Print `hours` at src/fees.js:6.',
    'Restore `sum += i;` at src/fees.js:13.',
  ])('is kept: %j', (step) => {
    expect(plannedStep(step, record)).toBe(step);
  });
});

it.each([
  ['In src/fees.js:6, add the flag g to `/ /g`.', '`/ /g` has the flag.'],
  ['In src/fees.js:7, call `trim` before `pad`.', 'It does.'],
])('is contradicted: %j', (step) => {
  const line = "  return round(text.trim().pad().replace(/ /g, '-'));";
  const sources = { inSource: () => undefined, linesOf: () => Array.from({ length: 9 }, () => line) };
  expect(contradiction(step, { ...record, sources })).toBeDefined();
});

describe('what a step takes for granted', () => {
  it.each([
    'Run `npm run magic` before an edit of src/fees.js.',
    'Run `npx mocha --parallel` and read what it prints of src/fees.js.',
    'Run the tests of src/fees.js with node 18.',
    'Run `node --test test/ghost.test.js` alone.',
    'Make the test "ghost" print `hours` at src/fees.js:6.',
    'In hoursFor at src/fees.js:6, subtract one hour.',
    'Replace `Math.ghost(hours)` at src/fees.js:7 with `Math.ceil(hours)`.',
    'Rename `lateCharge` to `lateFee`.',
    'Round the result in `billedHours`.',
    'Export RALPH_FAST=1 before running src/fees.js.',
    'Set the environment variable TZ before src/fees.js is loaded.',
    'Set `process.env.TZ = "UTC"` in src/fees.js:1.',
  ])('does not exist, so that it is refused: %j', (step) => {
    expect(plannedStep(step, record)).toBeUndefined();
  });

  it.each([
    ['Print `hours` at src/fees.js:6 while the test "late" runs.', 'Print `hours` at src/fees.js:6.'],
    [
      'Write `const wholeDays = Math.ceil(days);` at src/fees.js:11.',
      'Write `const wholeDays = Math.ceil(days);` at src/fees.js:11.',
    ],
  ])('exists, or is declared by the code to write: %j', (step, kept) => {
    expect(plannedStep(step, record)).toBe(kept);
  });

  it.each([
    'Run `node --test test/fees.test.js` alone.',
    'Add a helper billedHours to src/fees.js and call it at src/fees.js:7.',
    'Rename `sum` to `totalDays` in lateFee.',
    'Extract `dayFee` from lateFee in src/fees.js:10.',
  ])('is not looked up, so that it is left out though it may be honest: %j', (step) => {
    expect(plannedStep(step, record)).toBeUndefined();
  });
});

describe('a guess of a model', () => {
  it.each([
    'In src/fees.js:6 `hours` is 2 and not 2.5.',
    'RATE in src/fees.js:3 is 60.',
    '`sum` starts at 1 in src/fees.js:11.',
    'The function lateFee at src/fees.js:12 starts its loop at 1 rather than 0.',
    'The import of `round` is missing in src/fees.js:1.',
    'The return of lateFee in src/fees.js:15 is missing.',
    'test/fees.test.js imports `parkingFee` from src/money.js.',
    'lateFee in src/fees.js:10 is called by parkingFee in src/fees.js:5.',
    '`hours` in src/fees.js:6 is a string.',
    '`hours * RATE` at src/fees.js:7 is 4 for 2 and 40.',
    'Der Ausdruck `hours` in src/fees.js:6 ist falsch.',
  ])('is dropped where the record says the opposite: %j', (guess) => {
    expect(isTenableGuess(guess, record)).toBe(false);
  });

  it.each([
    'In src/fees.js:6 `hours` is 2.5.',
    'lateFee starts at 0 in src/fees.js:11.',
    'In src/fees.js:13 the loop adds 0, 1 and 2, which is 3.',
    'parkingFee in src/fees.js:7 drops the half hour by Math.floor.',
  ])('is kept where it does not: %j', (guess) => {
    expect(isTenableGuess(guess, record)).toBe(true);
  });
});
