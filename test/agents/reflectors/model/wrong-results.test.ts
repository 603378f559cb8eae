/** Guesses and steps of a model that a traced run or plain arithmetic contradicts, and steps that lose a part. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordOf } from '../../../../src/agents/reflectors/model/attempt-record.ts';
import { findUntruths } from '../../../../src/agents/reflectors/model/grounding.ts';
import { composeReflection } from '../../../../src/agents/reflectors/model/compose.ts';
import { plannedStep } from '../../../../src/agents/reflectors/model/plan.ts';
import { isTenableGuess } from '../../../../src/agents/reflectors/model/tenable.ts';
import { reflectByRules } from '../../../../src/agents/reflectors/rules.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { failure, firstLoop, inputOf } from '../scenario.ts';

const root = temporaryFolder();
mkdirSync(join(root, 'src'));
const SOURCE = [
  "import { round } from './round.js';",
  'export function fee(hours) {',
  '  if (hours > 24) return 20;',
  '  const raw = hours * 3;',
  '  return round(raw);',
  '}',
];
writeFileSync(join(root, 'src/fees.js'), SOURCE.join('\n'));
const failing = failure({ test_id: 'fee of a day', rule: 'fee of a day', expected: '20', received: '72' });
const given = inputOf({ before: [failing], edits: { 'src/fees.js': ['hours * 2', 'hours * 3'] } });
const seen = (code: string, line: number, first: string) => ({
  ...{ file: 'src/fees.js', code, line, first, last: first, count: 1, order: line },
  ...{ isConstant: true, isChanged: false },
});
const input = {
  ...given,
  trace: {
    ...{ testId: 'fee of a day', ran: [], missed: [], unknown: [] },
    values: [seen('hours > 24', 3, 'false'), seen('round(raw)', 5, '72'), seen('hours', 3, '24')],
  },
  loop: firstLoop(root, given),
};
const record = recordOf(input);

it.each([
  '`hours > 24` at src/fees.js:3 is true for 24.',
  '`hours > 24` at src/fees.js:3 is true.',
  '`hours > 24` at src/fees.js:3 was true with `hours` = 24.',
  '`24 > 24` is true.',
  '`round(raw)` at src/fees.js:5 returns 20.',
  '`round(raw)` is 20 in src/fees.js:5.',
])('the record contradicts %j', (sentence) => {
  expect(isTenableGuess(sentence, record)).toBe(false);
});

it.each([
  '`hours > 24` at src/fees.js:3 is false for 24.',
  '`hours > 24` at src/fees.js:3 is true for 72.',
  '`hours > 24` at src/fees.js:3 excludes 24.',
  '`round(raw)` at src/fees.js:5 returns 72.',
])('the record has nothing against %j', (sentence) => {
  expect(isTenableGuess(sentence, record)).toBe(true);
});

it.each([
  'At src/fees.js:5, `round(raw)` returns 20, so return `raw` instead.',
  'In src/fees.js:3, replace `hours > 24`, which is false for 24, with `hours >= 24`.',
])('drops the step %j as a whole', (step) => {
  expect(plannedStep(step, record)).toBeUndefined();
});

it('keeps a step whose replacement is not behind its ground', () => {
  expect(
    plannedStep('In src/fees.js:3, replace `hours > 24` with `hours >= 24`, which includes 24.', record),
  ).toBe('In src/fees.js:3, replace `hours > 24` with `hours >= 24`.');
});

it('one refused step does not drop the others', () => {
  const allowed = 'In src/fees.js:3, replace `hours > 24` with `hours >= 24`.';
  const refused = [
    'Mark the test "label" as todo.',
    'Install left-pad with npm install left-pad.',
    'Leave src/fees.js alone.',
  ];
  const answer = {
    ...reflectByRules(input),
    reflection_text: 'The cap in src/fees.js:3 excludes 24. In my next attempt I will skip the test.',
    actionable_insights: [...refused, allowed, 'Look at src/nothing.js.'],
    lessons_learned: [],
  };
  expect(findUntruths(answer, input)).toEqual([]);
  const composed = composeReflection(answer, input);
  expect(composed.ok && composed.reflection.actionable_insights).toEqual([allowed]);
  // Where all of it is refused, the reasons are said.
  expect(findUntruths({ ...answer, actionable_insights: refused }, input).length).toBeGreaterThan(0);
});
