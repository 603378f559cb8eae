/** Edits in sentences: around their difference, with what is not seen escaped, and never as nothing. */
import { expect, it } from 'vitest';
import { renderClaim } from '../../src/agents/reflectors/claims/render.ts';
import { effectsOf } from '../../src/memory/lessons/effects.ts';
import { lessonClaimsOf, renderLessonClaim } from '../../src/prompts/lesson-claims.ts';
import { renderEditSides } from '../../src/prompts/edit-sides.ts';
import { shownCode, shownValues } from '../../src/prompts/phrases.ts';
import { renderValues } from '../../src/prompts/seen-values.ts';
import type { Lesson } from '../../src/schema/generated.ts';
import { failure, inputOf } from '../agents/reflectors/scenario.ts';

const numbers = (last: number, length = 3000): string =>
  `export const long = [${[...Array.from({ length }, (_, index) => index), last].join(', ')}];`;
const fixing = (before: string, after: string) =>
  inputOf({ edits: { 'src/range.ts': [before, after] }, before: [failure({})], after: [] });

it.each([
  [80, 400],
  [3000, 3000],
])('a changed number in a line of %i numbers is shown', (length) => {
  const input = fixing(numbers(2999, length), numbers(7000, length));
  const place = { within: [], above: '', below: '', nth: 1, of: 1, repeated: false };
  const [claim] = lessonClaimsOf({ ...input, place, ranBy: 'any' });
  const text = renderLessonClaim(claim!);
  expect(text).toMatch(/changing `….*2999\];` to `….*7000\];` fixed the test/);
  // The same edit is recognised, and another one is not.
  const lesson = { id: 'l', claim, source: { pass: 'reflection' } } as unknown as Lesson;
  const outcome = {
    ...input,
    loopId: 'other',
    changes: { patch: input.patch, place, files: [{ path: 'src/range.ts' }] },
  };
  const effects = (made: object): unknown[] => effectsOf(made as never, [lesson]).map(({ effect }) => effect);
  expect(effects(outcome)).toEqual(['support']);
  const other = fixing(numbers(2999, length), numbers(7001, length));
  expect(effects({ ...outcome, changes: { ...outcome.changes, patch: other.patch } })).toEqual([]);
});

it('a sentence about an edit never says nothing', () => {
  const cases: [string, string][] = [
    [numbers(1), numbers(2)],
    ['x'.repeat(300), `${'x'.repeat(300)}y`],
    [`${'x'.repeat(300)}y`, 'x'.repeat(300)],
    [`${'😀'.repeat(90)}a`, `${'😀'.repeat(90)}b`],
  ];
  for (const [before, after] of cases) {
    const { from, to } = renderEditSides(before, after, 80)!;
    expect(from).not.toBe(to);
    expect([from, to].every((side) => side.length > 4)).toBe(true);
  }
});

it('an edit whose difference is a secret has no lesson, and is told by its place', () => {
  const [before, after] = ['a', 'b'].map(
    (letter) => `export const token = () => 'sk-ant-api03-${letter.repeat(40)}';`,
  ) as [string, string];
  expect(renderEditSides(before, after, 80)).toBeUndefined();
  expect(lessonClaimsOf({ ...fixing(before, after), ranBy: 'any' })).toEqual([]);
  const told = renderClaim({ kind: 'line_changed', file: 'src/a.ts', line: 3, before, after });
  expect(told).toBe('I changed the code at src/a.ts:3');
});

it('what is there and not seen is shown escaped, in code and in values', () => {
  expect(shownCode('a\u202eb')).toBe('`a\\u{202e}b`');
  expect(shownValues("'q'", "'\u202e😀'")[1]).toBe("'\\u{202e}😀'");
  const seen = {
    file: 'src/a.ts',
    line: 1,
    code: 's',
    count: 1,
    order: 1,
    isConstant: true,
    isChanged: false,
  };
  expect(renderValues([{ ...seen, first: "'\u202e😀z'" }])).toContain('\\u{202e}');
});

it('the character of a difference is counted in the value, not in its quotes and escapes', () => {
  const values = { expected: "'line\\n`tick` 1 and more'", received: "'line\\n`tick` 2 and more'" };
  expect(renderClaim({ kind: 'reported', failure: failure(values) })).toContain(
    'differs from character 13 on',
  );
});
