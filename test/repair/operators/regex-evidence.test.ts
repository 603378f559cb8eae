import { expect, it } from 'vitest';
import { matchFactors } from '../../../src/repair/operators/regex/evidence.ts';
import { isValidPattern } from '../../../src/repair/operators/regex/valid-pattern.ts';
import { NO_STRINGS } from '../../../src/repair/syntax/case-strings.ts';

const cases = { ...NO_STRINGS, failing: ['export{a}'], others: ['export {a}', 'exporting'] };

it('favours patterns that match the failing strings in another way and the others as before', () => {
  const factors = matchFactors(String.raw`export\s+\{`, 'g', {
    others: [String.raw`export\s*\{`, 'export', String.raw`export\s+\{a`],
    cases,
  });
  const [right, wide, idle] = [...factors.values()];
  expect(right).toBeGreaterThan(wide!);
  expect(wide).toBeGreaterThan(idle!);
});

it('has no opinion without a string of a failing case', () => {
  expect(matchFactors('a', '', { others: ['b'], cases: NO_STRINGS })).toEqual(new Map());
});

it('ends where a pattern takes for ever', () => {
  const slow = { ...cases, failing: [`${'a'.repeat(60)}b`] };
  expect(matchFactors('a', '', { others: ['b', '(a+)+$', 'c'], cases: slow }).size).toBe(1);
});

it.each([
  [String.raw`(?<=\s*|;)a`, false],
  ['(?=a||b)c', false],
  [String.raw`(?<=\s|^|;)a`, true],
  [String.raw`(?=\s*b)a`, true],
  ['(?!)a', false],
  ['(a', false],
])('%s is a pattern worth trying: %s', (pattern, isValid) => {
  expect(isValidPattern(pattern, '')).toBe(isValid);
});
