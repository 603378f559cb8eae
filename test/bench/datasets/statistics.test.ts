import { expect, it } from 'vitest';
import { quantile, renderColumns, renderShare } from '../../../bench/datasets/statistics.ts';

it.each([
  [[], 0.5, 0],
  [[4], 0.9, 4],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.5, 2],
  [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.9, 9],
  [[1, 2], 1, 2],
])('quantile of %j at %d is %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});

it('renderShare returns a dash if the whole is 0', () => {
  expect([renderShare(1, 3), renderShare(0, 2), renderShare(0, 0)]).toEqual(['33.3%', '0.0%', '-']);
});

it('renderColumns aligns the first column to the left and the others to the right', () => {
  expect(
    renderColumns([
      ['a', 'count'],
      ['longer', '7'],
    ]),
  ).toEqual(['a       count', 'longer      7']);
});
