import { describe, expect, it } from 'vitest';
import { bm25, flooredIdf, rankByTerms, smoothIdf } from '../../../src/memory/text/bm25.ts';

describe('bm25', () => {
  it('computes idf · f·2.2 / (f + 1.2·(0.25 + 0.75·length/mean))', () => {
    expect(bm25(2, 3, { length: 10, meanLength: 5 })).toBeCloseTo((2 * 3 * 2.2) / (3 + 1.2 * 1.75), 12);
  });

  it('returns 0 for a term that does not occur, also in an empty text', () => {
    expect(bm25(2, 0, { length: 0, meanLength: 0 })).toBe(0);
  });
});

describe('flooredIdf', () => {
  it('is positive for a term that most texts have', () => {
    expect(flooredIdf(10, 9)).toBe(1e-6);
    expect(flooredIdf(10, 1)).toBeCloseTo(Math.log(9.5 / 1.5), 12);
  });
});

describe('rankByTerms', () => {
  const texts = [['cart', 'total', 'cart'], ['cart'], ['date'], []];

  it('scores texts by rare shared terms, and counts distinct shared terms', () => {
    const { scores, shared } = rankByTerms(texts, ['cart', 'total']);
    expect(shared).toEqual([2, 1, 0, 0]);
    expect(scores[0]).toBeGreaterThan(scores[1]!);
    expect(scores.slice(2)).toEqual([0, 0]);
    const length = { length: 1, meanLength: 5 / 4 };
    expect(scores[1]).toBeCloseTo(bm25(smoothIdf(4, 2), 1, length), 12);
  });

  it('counts a repeated query term once', () => {
    expect(rankByTerms(texts, ['cart', 'cart'])).toEqual(rankByTerms(texts, ['cart']));
  });

  it('returns no scores without texts', () => {
    expect(rankByTerms([], ['cart'])).toEqual({ scores: [], shared: [] });
  });
});
