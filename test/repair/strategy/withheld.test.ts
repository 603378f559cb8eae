import { expect, it } from 'vitest';
import { describeWithheld, withheldScopes, withheldSentence } from '../../../src/repair/strategy/withheld.ts';
import type { Reflection } from '../../../src/schema/generated.ts';

const CANDIDATE = { edits: [], operator: 'test', line: 1, signature: 'a.js: a → b @1', prior: 1 };
const RANKED = {
  claims: [{ candidate: CANDIDATE, fixed: 1 }],
  confidence: 0.312,
  comparedInputs: 3,
  behaviours: 2,
  alike: [CANDIDATE],
};

it('withheldSentence names the confidence, an input and both results', () => {
  const difference = { input: 'f(1)', results: ['2', '3'] } as const;
  const sentence = withheldSentence({ ...RANKED, difference }, 0.4);
  expect(sentence).toContain('1 plausible edit; not chosen (confidence 0.31, below 0.4)');
  expect(sentence).toContain('They differ on f(1): 2 or 3');
  expect(withheldSentence(RANKED, 0.4)).not.toContain('differ');
  expect(withheldSentence(RANKED, 0.3)).toContain('another one was best before');
});

it('withheldScopes finds the failures of earlier attempts with the same threshold only', () => {
  const actions = [{ description: describeWithheld(' ~12345678', 0.4) }, { description: 'Tried 3 edits' }];
  const reflections = [{ actor_output: { actions } }] as unknown as Reflection[];
  expect(withheldScopes(reflections, 0.4)).toEqual(new Set([' ~12345678']));
  expect(withheldScopes(reflections, 0.3)).toEqual(new Set());
});
