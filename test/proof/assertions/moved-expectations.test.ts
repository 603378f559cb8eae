import { expect, it } from 'vitest';
import { expectedNames, namesImported } from '../../../src/proof/assertions/expected-names.ts';
import { movedConstants } from '../../../src/proof/assertions/moved-expectations.ts';

const HEAD = "import { LIMIT, LIST, f } from '../src/a.js';\n";
const expectedIn = (body: string): string[] => {
  const text = `${HEAD}test('a', () => { ${body} });\n`;
  const names = namesImported(text, 'test/a.test.js', (stem) => stem === 'src/a');
  return expectedNames(text, names).map(({ from, to }) => text.slice(from, to));
};

it.each([
  ['assert.equal(f(150), LIMIT);', ['LIMIT']],
  ['expect(f(1)).toEqual([...LIST, 2]);', ['LIST']],
  ['t.is(f(1), LIST.length);', ['LIST']],
  ['assert.deepEqual(f({}), { limit: LIMIT });', ['LIMIT']],
])('%s compares with a name of the source', (body, names) => {
  expect(expectedIn(body)).toEqual(names);
});

it.each([
  'assert.equal(LIMIT, 5);',
  'expect(LIST).toEqual([1]);',
  'assert.equal(f(LIMIT), 3);',
  'assert.equal(f(1), f(2));',
  'assert.ok(LIMIT);',
])('%s does not', (body) => {
  expect(expectedIn(body)).toEqual([]);
});

const movedIn = (before: string, now: string): [string, string][] => [
  ...movedConstants('src/a.js', `export const A = ${before};`, `export const A = ${now};`),
];

it.each([
  ['100', '150', '100'],
  ["'a'", "'b'", "'a'"],
  ['{ retries: 3, wait: [1] }', '{ retries: 3 }', '{ retries: 3, wait: [1] }'],
])('a constant of %s was another one', (before, now, value) => {
  expect(movedIn(before, now)).toEqual([['A', value]]);
});

it.each([
  ['100', '100'],
  ['f(1)', 'f(2)'],
  ['other', '2'],
  ['() => 1', '() => 2'],
])('one of %s was not, or has no plain value', (before, now) => {
  expect(movedIn(before, now)).toEqual([]);
});
