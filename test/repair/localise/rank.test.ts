import { describe, expect, it } from 'vitest';
import { byRank, suspicionAt } from '../../../src/repair/localise/rank.ts';

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
  ])('at %i is the weight of the smallest region around: %d', (offset, weight) => {
    expect(suspicionAt(offset, regions)).toBe(weight);
  });
});

describe('byRank', () => {
  it('puts the best first and decides equal ones by place, then by text', () => {
    const ranked = [
      { score: 0.5, start: 2, text: 'b' },
      { score: 0.5, start: 2, text: 'a' },
      { score: 0.5, start: 1, text: 'z' },
      { score: 0.9, start: 9, text: 'y' },
    ];
    expect(ranked.sort(byRank).map(({ text }) => text)).toEqual(['y', 'z', 'a', 'b']);
  });
});
