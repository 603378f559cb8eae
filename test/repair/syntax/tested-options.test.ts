import { expect, it } from 'vitest';
import { testedOptions } from '../../../src/repair/syntax/tested-options.ts';

const TEST = `
it('skips', () => {
  expect(parse('a=1', { filter: (key) => key === 'a', strict: true })).toEqual({ a: '1' });
});
`;

it('finds options that are passed near a failure, nearest first', () => {
  expect(testedOptions('a.test.js', TEST, [3])).toEqual([
    { name: 'filter', isFunction: true },
    { name: 'strict', isFunction: false },
    { name: 'a', isFunction: false },
  ]);
});

it('finds none without a line, far from it and in a text that does not parse', () => {
  expect(testedOptions('a.test.js', TEST, [])).toEqual([]);
  expect(testedOptions('a.test.js', TEST, [90])).toEqual([]);
  expect(testedOptions('a.test.js', 'it(', [1])).toEqual([]);
});
