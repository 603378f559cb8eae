import { describe, expect, it } from 'vitest';
import {
  bootstrap,
  correlation,
  differenceOfShares,
  mean,
  median,
  wilson,
} from '../../../src/memory/statistics/statistics.ts';

describe('mean and median', () => {
  it.each([
    [[], null, null],
    [[3], 3, 3],
    [[4, 1], 2.5, 2.5],
    [[9, 1, 2], 4, 2],
    [[1, 2, 3, 10], 4, 2.5],
  ])('of %j are %j and %j', (values, expectedMean, expectedMedian) => {
    expect(mean(values)).toBe(expectedMean);
    expect(median(values)).toBe(expectedMedian);
  });
});

describe('wilson', () => {
  it.each([
    [5, 10, 0.2366, 0.7634],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    // Newcombe (1998), Statistics in Medicine 17, 857–872, table I.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
  ])('gives %i of %i the interval %f to %f', (part, whole, low, high) => {
    const interval = wilson(part, whole)!;
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('returns null where the whole is 0', () => {
    expect(wilson(0, 0)).toBeNull();
  });
});

describe('differenceOfShares', () => {
  it.each([
    // Newcombe (1998), Statistics in Medicine 17, 873–890, table II, method 10.
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 10, 0.6075, 1],
    [10, 10, 0, 20, 0.6791, 1],
  ])('gives %i/%i − %i/%i the interval %f to %f', (part, whole, otherPart, otherWhole, low, high) => {
    const interval = differenceOfShares({ part, whole }, { part: otherPart, whole: otherWhole })!;
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('returns null where one whole is 0', () => {
    expect(differenceOfShares({ part: 1, whole: 2 }, { part: 0, whole: 0 })).toBeNull();
  });
});

describe('correlation', () => {
  it.each([
    [
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
      1,
    ],
    [
      [
        [1, 3],
        [2, 2],
        [3, 1],
      ],
      -1,
    ],
    [
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      0,
    ],
    [
      [
        [1, 2],
        [2, 4],
        [3, 5],
      ],
      0.98198,
    ],
  ] as [[number, number][], number][])('of %j is %f', (pairs, expected) => {
    expect(correlation(pairs)).toBeCloseTo(expected, 5);
  });

  it.each([
    [[]],
    [[[1, 1]]],
    [
      [
        [0.1, 0],
        [0.1, 1],
        [0.1, 1],
      ],
    ],
  ] as [[number, number][]][])('returns null for %j, which is too short or constant', (pairs) => {
    expect(correlation(pairs)).toBeNull();
  });
});

describe('bootstrap', () => {
  it('is reproducible, contains the figure, and narrows with more items', () => {
    const few = Array.from({ length: 10 }, (_, index) => index % 2);
    const many = Array.from({ length: 1000 }, (_, index) => index % 2);
    const [wide, narrow] = [bootstrap(few, mean)!, bootstrap(many, mean)!];
    expect(wide).toEqual(bootstrap(few, mean));
    expect(wide.low).toBeLessThan(0.4);
    expect(wide.high).toBeGreaterThan(0.6);
    // 0.5 ± 1.96 · √(0.25 / 1000)
    expect(narrow.low).toBeCloseTo(0.469, 2);
    expect(narrow.high).toBeCloseTo(0.531, 2);
  });

  it('returns null without items, or where most resamples have no figure', () => {
    expect(bootstrap([], mean)).toBeNull();
    expect(bootstrap([1, 2, 3], () => null)).toBeNull();
  });
});
