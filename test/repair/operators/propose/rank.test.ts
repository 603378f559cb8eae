import { describe, expect, it } from 'vitest';
import { byRank } from '../../../../src/repair/operators/propose/rank.ts';

describe('byRank', () => {
  it('sorts by score, then by place, then by text', () => {
    const ranked = [
      { score: 0.5, start: 2, text: 'b' },
      { score: 0.5, start: 2, text: 'a' },
      { score: 0.5, start: 1, text: 'z' },
      { score: 0.9, start: 9, text: 'y' },
    ];
    expect(ranked.sort(byRank).map(({ text }) => text)).toEqual(['y', 'z', 'a', 'b']);
  });
});
