import { expect, it } from 'vitest';
import { NO_NAMES, testedNames } from '../../../src/repair/syntax/tested-names.ts';

const TEST = `
it('skips', () => {
  expect(parse('a=1', { filter: (key) => key === 'a', strict: true })).toEqual({ a: '1' });
  expect(day('x').isValid()).toBe(false);
  expect(Number.isNaN(1)).toBe(false);
});
`;

it('finds predicate methods and options that are passed near a failure, nearest first', () => {
  expect(testedNames('a.test.js', TEST, [3])).toEqual({
    predicates: ['isValid'],
    options: [
      { name: 'filter', isFunction: true },
      { name: 'strict', isFunction: false },
      { name: 'a', isFunction: false },
    ],
  });
});

it('finds no names without a line, far from it and in a text that does not parse', () => {
  expect(testedNames('a.test.js', TEST, [])).toEqual(NO_NAMES);
  expect(testedNames('a.test.js', TEST, [90])).toEqual(NO_NAMES);
  expect(testedNames('a.test.js', 'it(', [1])).toEqual(NO_NAMES);
});
