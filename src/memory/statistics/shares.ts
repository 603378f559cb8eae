import type { AnalysisShare } from '../../schema/generated.ts';
import { wilson } from './statistics.ts';

/** Fewest observations for a meaningful interval. */
export const FEW = 10;

/** Share of the items that satisfy `holds`, with its Wilson interval, and whether n is too small. */
export function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): AnalysisShare {
  return shareOfCounts(items.filter(holds).length, items.length);
}

/** Share of `part` in `n`, as `shareOf`. */
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
