import { expect, it } from 'vitest';
import { compareSources, compareTexts } from '../../../../bench/datasets/commits/sameness.ts';

it.each([
  ['f(a, b);', 'f(a, b);', 'text'],
  ['f(a, b);', 'f( a,\n  b )', 'syntax'],
  ['x = a + (b * c);', 'x = a + b * c;', 'syntax'],
  ["x = 'a';", 'x = "a";', 'syntax'],
  ['x = 1000;', 'x = 1_000;;', 'syntax'],
  ['/** Why. */\nf(); // done', 'f();', 'syntax'],
  ['let x: (string) = y as (A);', 'let x: string = (y as A);', 'syntax'],
  ['x = 10n;', 'x = 0xan;', 'no'],
  ['x = (a + b) * c;', 'x = a + b * c;', 'no'],
  ['x = a < b;', 'x = b > a;', 'no'],
  ['x = /a/g;', 'x = /a/;', 'no'],
  ['x = `a`;', "x = 'a';", 'no'],
  ['x = ;', 'x =  ;', 'no'],
] as const)('compareTexts of %j and %j is %s', (one, other, same) => {
  expect(compareTexts('a.ts', one, other)).toBe(same);
});

it('compareSources compares every file, also files that only one side has', () => {
  const files = (entries: Readonly<Record<string, string | undefined>>): Map<string, string | undefined> =>
    new Map(Object.entries(entries));
  const one = files({ 'a.js': 'f()', 'b.js': 'g();' });
  expect(compareSources(one, files({ 'a.js': 'f()', 'b.js': 'g();' }))).toBe('text');
  expect(compareSources(one, files({ 'a.js': 'f()', 'b.js': 'g()' }))).toBe('syntax');
  expect(compareSources(one, files({ 'a.js': 'f()' }))).toBe('no');
  expect(compareSources(files({ 'a.js': undefined }), files({}))).toBe('text');
});
