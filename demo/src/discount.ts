import { percentOf, type Cents } from './money.ts';

export interface Tier {
  /** Subtotal from which the tier applies, inclusive. */
  readonly from: Cents;
  readonly percent: number;
}

/** The highest tier that a subtotal has reached. */
export function tierFor(subtotal: Cents, tiers: readonly Tier[]): Tier | undefined {
  let best: Tier | undefined;
  for (const tier of tiers) {
    if (subtotal > tier.from && (best === undefined || tier.from > best.from)) best = tier;
  }
  return best;
}

export function discountFor(subtotal: Cents, tiers: readonly Tier[]): Cents {
  let tier = tierFor(subtotal, tiers);
  return tier === undefined ? 0 : percentOf(subtotal, tier.percent);
}
