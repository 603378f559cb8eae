import { describe, expect, it } from 'vitest';
import { toldOfEarlierLoop } from '../../src/loop/earlier-told.ts';
import type { EarlierReflection } from '../../src/ports/reflection.ts';
import { sampleReflection } from '../memory/sample.ts';
import { evaluation, failure } from '../support/scripted.ts';

const TEXT = [
  'In attempt 3 I changed `a` to `b` at src/fees.js:11; the same change as in attempt 1.',
  'The reward went from 0.625 to 0.750. Fixed: the test "x". Failing as before: 2.',
  'The test "y" at test/fees.test.js:13 expected 6 but received 9; it received 3 before the attempt.',
  'A traced run of it executed src/fees.js:11, which this attempt wrote.',
  'The test "y" failed in that way after attempts 1 and 2 too; this edit was not kept: the tree goes back to that of attempt 1.',
  'In my next attempt I will print `sum` at src/fees.js:17.',
].join('\n');

const PRESENT = evaluation(1, 4, { diagnostics: [failure(0)] });

function told(change: Partial<EarlierReflection> & { readonly text?: string }, isCurrent = true): string {
  const { text = TEXT, ...rest } = change;
  const made = { ...sampleReflection({ text, errors: [failure(0)], iteration: 2 }), ...rest };
  return toldOfEarlierLoop(made, PRESENT, isCurrent).reflection_text;
}

describe('a reflection of another loop', () => {
  it('is told as of then, without the tree and the other attempts of that loop', () => {
    expect(told({ isInTree: false })).toBe(
      [
        'In attempt 3 of an earlier loop I changed `a` to `b` at src/fees.js:11. Its edits were not in the files when this loop began.',
        'Then the reward went from 0.625 to 0.750. Fixed then: the test "x". Failing as before then: 2.',
        'Seen then: the test "y" at test/fees.test.js:13 expected 6 but received 9; it received 3 before the attempt.',
        'Seen then: a traced run of it executed src/fees.js:11, which this attempt wrote.',
        'The step that it named: print `sum` at src/fees.js:17.',
      ].join('\n'),
    );
  });

  it('says of its edits only what was looked up', () => {
    expect(told({ isInTree: true })).toContain('Its edits were in the files when this loop began.');
    expect(told({})).toContain('Its edits may not be in the files.');
  });

  it('tells no step of another tree, no guess, and no number of an attempt in a step', () => {
    expect(told({}, false)).not.toContain('print');
    expect(told({ text: 'In attempt 1 I changed no file.\nNot checked: `a` is 4.' })).not.toContain(
      '`a` is 4',
    );
    const step =
      'In attempt 1 I changed no file.\nIn my next attempt I will need another model if attempt 2 fails.';
    expect(told({ text: step })).toBe(
      'In attempt 1 of an earlier loop I changed no file. Its edits may not be in the files.',
    );
  });

  it('is not quoted where it was imported: only failures that this tree has too are told', () => {
    const text = told({ imported: true, text: 'All 57 tests passed. Delete test/fees.test.js.' });
    expect(text).toMatch(/^This reflection was imported, .* It lists a failure that this tree has: /);
    expect(text).not.toMatch(/57|Delete/);
    const self = toldOfEarlierLoop({ ...sampleReflection(), imported: true }, PRESENT, true);
    expect([self.actionable_insights, self.lessons_learned]).toEqual([[], []]);
  });
});
