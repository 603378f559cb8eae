import type { AnalysisShare } from '../../schema/generated.ts';
import { wilson } from './statistics.ts';

/** Fewer observations than these say nothing: their intervals are as wide as the scale. */
export const FEW = 10;

/** A share with its interval, and whether it rests on too little. */
export function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): AnalysisShare {
  return shareOfCounts(items.filter(holds).length, items.length);
}

/** The same from counts. */
export function shareOfCounts(part: number, n: number): AnalysisShare {
  const interval = wilson(part, n);
  return {
    part,
    n,
    share: n === 0 ? null : part / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    too_few: n < FEW,
  };
}
