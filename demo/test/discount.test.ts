import { describe, expect, it } from 'vitest';
import { discountFor, tierFor, type Tier } from '../src/discount.ts';

const tiers: Tier[] = [
  { from: 2000, percent: 5 },
  { from: 10000, percent: 12 },
];

describe('tierFor', () => {
  it('finds none below the first tier', () => {
    expect(tierFor(1999, tiers)).toBeUndefined();
  });
  it('includes the amount at which a tier begins', () => {
    expect(tierFor(2000, tiers)?.percent).toBe(5);
    expect(tierFor(10000, tiers)?.percent).toBe(12);
  });
  it('takes the highest tier, whatever their order', () => {
    expect(tierFor(15000, [...tiers].reverse())?.percent).toBe(12);
  });
});

describe('discountFor', () => {
  it('is nothing without a tier', () => {
    expect(discountFor(1500, tiers)).toBe(0);
  });
  it('is the tier of the subtotal', () => {
    expect(discountFor(4000, tiers)).toBe(200);
    expect(discountFor(20000, tiers)).toBe(2400);
  });
});
