import { describe, expect, it } from 'vitest';
import { assessReflection, overlap } from '../../../src/agents/reflectors/quality.ts';
import type { SelfReflection } from '../../../src/schema/generated.ts';
import { sampleReflection, sharedData } from '../../memory/sample.ts';

const GOOD: SelfReflection = {
  reflection_text:
    'In my previous attempt, I tried to map over userData without checking if it exists. The error occurred because the API response was empty. I will return [] in src/api.ts:23 when userData is undefined.',
  credit_assignment: {
    failing_action_indices: [0],
    root_cause: 'Missing null check',
    failure_category: 'edge_case_miss',
  },
  causal_reasoning: 'userData is undefined for an empty response.',
  actionable_insights: ['Add at src/api.ts:23: if (!userData) return []'],
  lessons_learned: ['Responses of the users API can be empty.'],
  confidence: 0.8,
  related_reflections: [],
};
const reasons = (change: Partial<SelfReflection>, improved = false, window = [] as string[]): string[] =>
  assessReflection(
    { ...GOOD, ...change },
    { improved, window: window.map((text, iteration) => sampleReflection({ iteration, text })) },
  );

describe('assessReflection', () => {
  it('accepts a specific reflection', () => {
    expect(reasons({})).toEqual([]);
  });

  const table: [string, Partial<SelfReflection>, RegExp][] = [
    ['a short text', { reflection_text: 'src/api.ts:23 is wrong.' }, /^The text has 23 characters/],
    ['a text of white space', { reflection_text: `x${' '.repeat(200)}` }, /^The text has 1 character;/],
    [
      'a text of seven sentences',
      { reflection_text: `${GOOD.reflection_text} ${'`a.b` in src/api.ts:23 is empty. '.repeat(4)}` },
      /^The text has 7 sentences; at most 6/,
    ],
    ['no insight', { actionable_insights: [] }, /^No insight/],
    [
      'an insight without a subject',
      { actionable_insights: ['Improve the overall quality of things'] },
      /^No insight/,
    ],
    [
      'no credit',
      {
        credit_assignment: {
          failing_action_indices: [],
          root_cause: 'Something was wrong',
          failure_category: 'other',
        },
      },
      /^No action is named/,
    ],
    ['low confidence without improvement', { confidence: 0.4 }, /^The confidence is 0.4/],
    [
      'generic advice as a lesson',
      { lessons_learned: ['Always be more careful.'] },
      /^This fits any failure: "Always/,
    ],
    [
      'generic advice in the text',
      { reflection_text: `${GOOD.reflection_text} Next time I will test thoroughly.` },
      /fits any failure/,
    ],
    [
      'generic advice as an insight',
      { actionable_insights: [...GOOD.actionable_insights, 'Fix the bug.'] },
      /fits any/,
    ],
  ];
  it.each(table)('reports %s, and nothing else', (_, change, expected) => {
    expect(reasons(change)).toEqual([expect.stringMatching(expected)]);
  });

  it('accepts low confidence if the reward improved', () => {
    expect(reasons({ confidence: 0.4 }, true)).toEqual([]);
  });

  it('accepts a root cause with a place instead of actions', () => {
    const credit = {
      failing_action_indices: [],
      root_cause: 'src/api.ts:23 is never reached',
      failure_category: 'other',
    };
    expect(reasons({ credit_assignment: credit as SelfReflection['credit_assignment'] })).toEqual([]);
  });

  it('reports a repeated text with its iteration, ignoring case and punctuation', () => {
    const other = 'Something else entirely was wrong in src/other.ts:1 and I did not see it at all. '.repeat(
      2,
    );
    const shouted = GOOD.reflection_text.toUpperCase().replaceAll('.', ' !');
    expect(reasons({}, false, [other, shouted])).toEqual(['The text repeats the reflection of iteration 1.']);
    expect(reasons({}, false, [other])).toEqual([]);
  });
});

describe('overlap', () => {
  it.each([
    ['a b c d', 'a b c d', 1],
    ['A, b; c d!', 'a b c d', 1],
    ['a b c d', 'w x y z', 0],
    ['a b c d', 'a b c e', 1 / 3],
    ['', '', 1],
    ['a', 'a', 1],
    ['a b', 'b a', 0],
  ])('of %j and %j is %d', (one, other, expected) => {
    expect(overlap(one, other)).toBeCloseTo(expected);
  });
});

const corpus = sharedData('reflexion-mbpp-reflections.jsonl');

describe.skipIf(corpus === undefined)(
  'GPT-4’s published reflections (skipped if the shared data is absent)',
  () => {
    const loops = (corpus ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { reflections: string[] }).reflections);

    it('contain repeats, and each verbatim repeat is reported', () => {
      let verbatim = 0;
      for (const texts of loops) {
        for (const [index, text] of texts.entries()) {
          if (text.length < 100 || !texts.slice(0, index).includes(text)) continue;
          verbatim++;
          const window = texts.slice(0, index);
          expect(reasons({ reflection_text: text }, false, window)).toContainEqual(
            expect.stringMatching(/^The text repeats/),
          );
        }
      }
      expect(verbatim).toBeGreaterThan(3);
    });

    it('are rarely reported if they differ', () => {
      const firsts = loops.flatMap((texts) => texts.slice(0, 1)).filter((text) => text.length >= 100);
      const refused = firsts.filter(
        (text, index) => reasons({ reflection_text: text }, false, firsts.slice(0, index)).length > 0,
      );
      expect(firsts.length).toBeGreaterThan(50);
      expect(refused.length / firsts.length).toBeLessThan(0.1);
    });
  },
);
