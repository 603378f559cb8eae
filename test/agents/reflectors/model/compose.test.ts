import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeReflection } from '../../../../src/agents/reflectors/model/compose.ts';
import { reflectByRules } from '../../../../src/agents/reflectors/rules.ts';
import type { SelfReflection } from '../../../../src/schema/generated.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { failure, firstLoop, inputOf } from '../scenario.ts';

const root = temporaryFolder();
mkdirSync(join(root, 'src'));
writeFileSync(
  join(root, 'src/range.ts'),
  [
    "import { clampTo } from './limits.ts';",
    'export function toRange(start: number, end: number): number[] {',
    ...Array.from({ length: 8 }, () => '  // a line'),
    "  const fill = 'y';",
    '  while (i <= end - 1) {',
    '    items.push(clampTo(i));',
    '  }',
    '}',
  ].join('\n'),
);
writeFileSync(
  join(root, 'src/limits.ts'),
  'export function clampTo(value: number) {\n  return value;\n}\nexport class Cart {}\n',
);
const failing = failure({
  test_id: 'ends',
  rule: 'range > ends',
  expected: '[ 1, 2, 3 ]',
  received: '[ 1, 2 ]',
});
const given = inputOf({ before: [failing], rewards: [0.75, 0.75] });
const input = {
  ...given,
  loop: firstLoop(root, given),
};
const answer = (parts: Partial<SelfReflection>, cause = 'It is not known.'): SelfReflection => ({
  reflection_text: 'In my next attempt I will write `i <= end` at src/range.ts:12.',
  credit_assignment: { failing_action_indices: [0], root_cause: cause, failure_category: 'logic_error' },
  causal_reasoning: 'It is not known.',
  actionable_insights: ['Write `i <= end` at src/range.ts:12.'],
  lessons_learned: [],
  confidence: 0.8,
  related_reflections: [],
  ...parts,
});
function composed(parts: Partial<SelfReflection>, cause?: string): SelfReflection {
  const result = composeReflection(answer(parts, cause), input);
  if (!result.ok) throw new Error(result.reasons.join(' '));
  return result.reflection;
}

const LIES = [
  "In attempt 1 I changed 'y' to 'x' at src/range.ts:11.",
  'I changed nothing in src/range.ts, only test/range.test.ts.',
  'In attempt 1 I changed the bound and deleted the loop at src/range.ts:3.',
  'That fixed 3 failing tests.',
  'Before it 3 tests failed, and now 29 fail.',
  'Two tests that failed before pass now.',
  'All tests of test/range.test.ts pass now.',
  'The edit broke a test that attempt 1 had fixed.',
  'The test "range > ends" was removed from the run.',
  'The test "range > ends" at test/range.test.ts:8 still receives 12345 instead of 604800000.',
  'It is the same failure as before, with the same received value.',
  'The reward went from 0.2 to 0.9.',
  'The failing test never executed src/range.ts:12.',
  'A traced run shows that src/range.ts:12 was not executed.',
  'After it the type check failed with TS2322.',
  'The lint check failed as well, with no-unused-vars at src/range.ts:4.',
  'The function weeksToMs at src/range.ts:12 rounds the value down.',
  'src/limits.ts calls toRange at src/limits.ts:2, and so the error comes from there.',
  'With it `toRange(1, 3)` returns [ 7, 8, 9 ].',
  'The limit of src/range.ts:12 is 9999.',
  'clampTo at src/range.ts:7 cuts the last item off.',
  'The file src/weeks.ts uses the same bound.',
  "src/range.ts:11 fills with 'q'.",
];

const HONEST = [
  'The bound at src/range.ts:12 still excludes the end.',
  'For whole numbers `i <= end - 1` and `i < end` hold for the same i.',
  'The loop in toRange stops one item too early.',
  "src/range.ts:11 fills with 'y' where a zero is needed.",
  'clampTo in src/limits.ts returns its value unchanged.',
  'For 3 items the last index is 2, and 3 - 1 is 2.',
  'Math.ceil would round the quotient up.',
];

/** A guess as it is stored. */
function asked(guess: string): string {
  const start = guess.startsWith('Math.') ? guess : guess.charAt(0).toLowerCase() + guess.slice(1);
  return `is it so that ${start.replace(/\.$/, '')}?`;
}

describe('composeReflection', () => {
  it.each([
    ['The regular expression at src/range.ts:12 matches too little.'],
    ['The division at src/range.ts:12 drops the rest.'],
    ['The ternary at src/range.ts:12 takes the wrong side.'],
  ])('keeps nothing of %j, whose place has no such code', (guess) => {
    const text = composed({}, guess).reflection_text;
    expect(text).not.toMatch(/Not checked:(?! In my next attempt)/);
  });

  it('says what the record shows, then one guess and one step, in at most six lines', () => {
    const reflection = composed({}, HONEST[0]);
    const facts = reflectByRules(input).reflection_text.split('\n').slice(0, 3);
    const lines = reflection.reflection_text.split('\n');
    expect(lines.slice(0, 3)).toEqual(facts);
    expect(lines.slice(-2)).toEqual([
      `Not checked: ${asked(HONEST[0]!)}`,
      'Not checked: In my next attempt I will write `i <= end` at src/range.ts:12.',
    ]);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(reflection.credit_assignment.root_cause).toMatch(
      /^The cause is not known\. Seen: .* Not checked: is it so that the bound/,
    );
  });

  it.each(LIES)('keeps nothing of %j', (lie) => {
    const reflection = composed(
      {
        reflection_text: `${lie} In my next attempt I will write \`i <= end\` at src/range.ts:12.`,
        causal_reasoning: lie,
        lessons_learned: [lie],
      },
      lie,
    );
    expect(JSON.stringify(reflection)).not.toContain(JSON.stringify(lie).slice(1, -1));
    expect(reflection.reflection_text).not.toMatch(/Not checked:(?! In my next attempt)/);
  });

  it.each(HONEST)('keeps %j as a question, and not as a statement', (guess) => {
    expect(composed({}, guess).reflection_text).toContain(`\nNot checked: ${asked(guess)}\n`);
  });

  it.each([
    ['Is the bound at src/range.ts:12 too early?', 'Is the bound at src/range.ts:12 too early?'],
    ['Is the bound at src/range.ts:12 too early.', 'Is the bound at src/range.ts:12 too early?'],
    ['The loop in toRange stops too early?', 'is it so that the loop in toRange stops too early?'],
    [
      'When i is 3, the loop in toRange is at its end.',
      'is it so that when i is 3, the loop in toRange is at its end?',
    ],
    ['Is the bound at src/range.ts:99 too early?', undefined],
    ['Does the test "range > ends" pass now?', undefined],
    [
      'Does the loop in toRange stop one item too early?',
      'Does the loop in toRange stop one item too early?',
    ],
    [
      'Cart in src/limits.ts returns its value unchanged.',
      'is it so that Cart in src/limits.ts returns its value unchanged?',
    ],
    [
      'The loop in toRange stops one item too early.',
      'is it so that the loop in toRange stops one item too early?',
    ],
  ])('asks %j as a question in good form', (guess, question) => {
    const { reflection_text: text, credit_assignment: credit } = composed({}, guess);
    const found = /^Not checked: (?!In my next attempt)(.*)$/m.exec(text)?.[1];
    expect(found).toBe(question);
    if (question !== undefined) expect(credit.root_cause.endsWith(`Not checked: ${question}`)).toBe(true);
  });

  it('cuts a reason that the record does not bear out off a step', () => {
    const text = 'In my next attempt I will write `i <= end` at src/range.ts:12, which fixed 3 tests.';
    expect(composed({ reflection_text: text }).reflection_text).toMatch(
      /In my next attempt I will write `i <= end` at src\/range\.ts:12\.$/,
    );
  });

  it('takes the step from the insights where the sentence refers to one that is not kept', () => {
    const text = 'The bound is wrong. In my next attempt I will write `i <= end` there.';
    expect(composed({ reflection_text: text }).reflection_text).toMatch(
      / I will write `i <= end` at src\/range\.ts:12\.$/,
    );
  });

  it('keeps nothing without a step on files that exist', () => {
    const parts = {
      reflection_text: 'In my next attempt I will edit src/ghost.ts:9.',
      actionable_insights: ['Edit src/ghost.ts:9.'],
    };
    expect(composeReflection(answer(parts), input)).toMatchObject({ ok: false });
  });

  it('keeps a lesson that is advice, and none that states something', () => {
    const lessons = [
      '`clampTo` in src/limits.ts is never called with the step.',
      'The tests run with `npx mocha --parallel`.',
      '`toRange` in src/range.ts returns a number when end is false.',
      'Compare with `end` inclusively in src/range.ts.',
      'When a bound in src/range.ts changes, compare both ends.',
      'Never use `clampTo` in src/range.ts, since it rounds.',
      'Keep `end` in src/range.ts at 3, as the tests say.',
      'Run the tests of src/range.ts with node 18.',
    ];
    expect(composed({ lessons_learned: lessons }).lessons_learned).toEqual(lessons.slice(3, 5));
  });
});
