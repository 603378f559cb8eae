import { expect, it } from 'vitest';
import { byTestsElsewhere } from '../../../src/repair/strategy/tests-elsewhere.ts';

const claim = (signature: string) => ({
  candidate: { edits: [], operator: 'test', line: 1, signature, prior: 1 },
  fixed: 1,
});
const [right, lucky, unjudged] = ['right', 'lucky', 'unjudged'].map(claim) as [
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
];

it('keeps the claims that fix the most tests of other files, and those that could not be tried there', () => {
  const elsewhere = new Map([
    [right.candidate, 3],
    [lucky.candidate, 1],
  ]);
  expect(byTestsElsewhere([lucky, right, unjudged], elsewhere)).toEqual([{ ...right, fixed: 4 }, unjudged]);
});

it('keeps every claim if none fixes a test elsewhere: those failures have another cause', () => {
  const claims = [right, lucky];
  expect(byTestsElsewhere(claims, new Map([[right.candidate, 0]]))).toBe(claims);
});
