import { describe, expect, it } from 'vitest';
import { bestPairs, type PairGroup } from '../../../src/repair/combine/best-pairs.ts';

const WEIGHTS = [0.9, 0.2, 0.7, 0.4, 0.55, 0.05];
const ALL: PairGroup = { factor: 1, left: [0, 1, 2, 3, 4, 5] };

/** The expected order, computed from every pair. */
function everyPair(weights: readonly number[], groups: readonly PairGroup[]): string[] {
  const scores = new Map<string, number>();
  for (const { factor, left, right } of groups) {
    for (const a of left) {
      for (const b of right ?? left) {
        if (a === b) continue;
        const key = `${Math.min(a, b)}-${Math.max(a, b)}`;
        scores.set(key, Math.max(scores.get(key) ?? 0, factor * weights[a]! * weights[b]!));
      }
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}

function keysOf(weights: readonly number[], groups: readonly PairGroup[]): string[] {
  return [...bestPairs(weights, groups)].map(({ first, second }) => `${first}-${second}`);
}

describe('bestPairs', () => {
  it('returns every pair once, in the order of the products', () => {
    expect(keysOf(WEIGHTS, [ALL])).toEqual(everyPair(WEIGHTS, [ALL]));
    expect(keysOf(WEIGHTS, [ALL])).toHaveLength(15);
  });

  it('ranks a pair by the group with the highest factor', () => {
    const groups: PairGroup[] = [
      ALL,
      { factor: 10, left: [1, 5] },
      { factor: 3, left: [3, 4], right: [1, 2, 3] },
    ];
    expect(keysOf(WEIGHTS, groups)).toEqual(everyPair(WEIGHTS, groups));
    expect(keysOf(WEIGHTS, groups).indexOf('1-5')).toBeLessThan(keysOf(WEIGHTS, [ALL]).indexOf('1-5'));
  });

  it('never pairs an edit with itself or with one of weight 0', () => {
    expect(keysOf([1, 0, 0.5], [{ factor: 2, left: [0, 1, 2], right: [0, 1, 2] }])).toEqual(['0-2']);
  });

  it('computes only the pairs that are taken', () => {
    const count = 5000;
    const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1));
    let reads = 0;
    const counted = new Proxy(weights, {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const pairs = bestPairs(counted, [{ factor: 1, left: [...weights.keys()] }]);
    for (let taken = 0; taken < 1000; taken++) pairs.next();
    expect(reads).toBeLessThan((count * count) / 20);
  });
});
