import { expect, it } from 'vitest';
import { caseStrings, NO_STRINGS } from '../../../src/repair/syntax/case-strings.ts';

const TABLE = `
const cases = {
  'import a from "b"': 1,
  'f(){}import a': 2,
};
describe('f(){}', () => {
  for (const [text, count] of Object.entries(cases)) it(text, () => {
    expect(find(text)).toBe(count);
  });
});
it('other', () => expect(find('a=b')).toBe(0));
`;

it('takes the row of a table whose text is the title of the failing test', () => {
  const found = caseStrings('a.test.js', TABLE, { lines: [], quoted: [], titles: ['f(){} > f(){}import a'] });
  expect(found).toMatchObject({ failing: ['f(){}import a'], lines: [4] });
  expect(found.others).toContain('import a from "b"');
});

it('lists punctuation that at most one string of another case has', () => {
  const { marks } = caseStrings('a.test.js', TABLE, { lines: [11], quoted: [], titles: [] });
  expect(marks).toEqual(['=']);
});

it('finds no strings in a text that does not parse', () => {
  expect(caseStrings('a.test.js', 'it(', { lines: [1], quoted: ['a'], titles: [] })).toEqual(NO_STRINGS);
});
