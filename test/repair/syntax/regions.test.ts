import { describe, expect, it } from 'vitest';
import { createSuspicion, suspicionAt } from '../../../src/repair/syntax/regions.ts';

const regions = [
  { start: 0, end: 100, weight: 0.2 },
  { start: 10, end: 20, weight: 0.9 },
  { start: 12, end: 14, weight: 0.1 },
];

describe('suspicionAt', () => {
  it.each([
    [5, 0.2],
    [10, 0.9],
    [13, 0.1],
    [20, 0.2],
    [100, 0],
  ])('at offset %i is the weight of the smallest region around it, %d', (offset, weight) => {
    expect(suspicionAt(offset, regions)).toBe(weight);
  });
});

describe('createSuspicion', () => {
  const all = [...regions, { start: 30, end: 50, weight: 0 }, { start: 40, end: 42, weight: 0.3 }];

  it('finds the same at every offset', () => {
    const suspicion = createSuspicion(all);
    const offsets = Array.from({ length: 110 }, (_, index) => index - 5);
    expect(offsets.map((offset) => suspicion.at(offset))).toEqual(
      offsets.map((offset) => suspicionAt(offset, all)),
    );
  });

  it.each([
    [30, 39, false],
    [30, 40, true],
    [42, 49, false],
    [42, 50, true],
    [100, 200, false],
    [-5, 0, true],
    [-5, -1, false],
  ])('from %i to %i: above 0 is %s', (start, end, expected) => {
    expect(createSuspicion(all).isAbove0In(start, end)).toBe(expected);
  });
});
