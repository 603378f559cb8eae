import { describe, expect, it } from 'vitest';
import { byRank } from '../../../../src/repair/operators/propose/rank.ts';

describe('byRank', () => {
  it('sorts by order, then by place, then by text', () => {
    const ranked = [
      { order: 0.5, start: 2, text: 'b' },
      { order: 0.5, start: 2, text: 'a' },
      { order: 0.5, start: 1, text: 'z' },
      { order: 0.9, start: 9, text: 'y' },
    ];
    expect(ranked.sort(byRank).map(({ text }) => text)).toEqual(['y', 'z', 'a', 'b']);
  });
});
