import { describe, expect, it } from 'vitest';
import { suspicionAt } from '../../../src/repair/syntax/regions.ts';

describe('suspicionAt', () => {
  const regions = [
    { start: 0, end: 100, weight: 0.2 },
    { start: 10, end: 20, weight: 0.9 },
    { start: 12, end: 14, weight: 0.1 },
  ];

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
