import { expect, it } from 'vitest';
import { matchFactors } from '../../../src/repair/operators/regex/evidence.ts';
import { isValidPattern } from '../../../src/repair/operators/regex/valid-pattern.ts';
import { NO_STRINGS, type CaseStrings } from '../../../src/repair/syntax/case-strings.ts';

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

/** Letters on which `(a+)+$` and the like try all their splits. */
const slow = (): CaseStrings => ({ ...NO_STRINGS, failing: [`${'a'.repeat(40)}!`], others: ['a b'] });

it('ranks a pattern that takes for ever below all others, and compares those behind it', () => {
  const factors = matchFactors('a', '', { others: ['b', '(a+)+$', 'c', 'a'], cases: slow() });
  expect([...factors.keys()]).toEqual(['b', '(a+)+$', 'c', 'a']);
  const hanging = factors.get('(a+)+$')!;
  for (const other of ['b', 'c', 'a']) expect(factors.get(other)).toBeGreaterThan(hanging);
  expect(factors.get('b')).toBe(factors.get('c'));
  expect(hanging).toBeGreaterThan(0);
});

it.each([
  [String.raw`^(\w+\s?)+$`, ['a', 'b']],
  ['a', ['(a+)+$', '(a+)*$', '(a|a)+$', 'b']],
])('takes a second in all for %s in ten literals of files that the same cases test', (own, others) => {
  const cases = slow();
  const started = performance.now();
  for (let literal = 0; literal < 10; literal++) matchFactors(own, '', { others, cases });
  expect(performance.now() - started).toBeLessThan(3000);
});

it('compares all patterns of many literals', () => {
  const others = Array.from({ length: 300 }, (_, index) => `export[{ ]{${index},}`);
  const texts = { ...cases };
  for (let literal = 0; literal < 40; literal++)
    expect(matchFactors('export', '', { others, cases: texts }).size).toBe(300);
});

it.each([
  [String.raw`(?<=\s*|;)a`, false],
  ['(?=a||b)c', false],
  [String.raw`(?<=\s|^|;)a`, true],
  [String.raw`(?=\s*b)a`, true],
  ['(?!)a', false],
  ['(a', false],
])('%s is a pattern worth trying: %s', (pattern, isValid) => {
  expect(isValidPattern(pattern, '', 'a')).toBe(isValid);
});

it.each([
  [String.raw`^(?=.*)\d*$`, true],
  [String.raw`^(?=.*)\d(?=x?)+$`, false],
  [String.raw`^(?=.*)(?=x*)\d+$`, false],
  [String.raw`^\d+$`, true],
])('beside an idle lookaround of the file, %s is one: %s', (pattern, isValid) => {
  expect(isValidPattern(pattern, '', String.raw`^(?=.*)\d+$`)).toBe(isValid);
});
