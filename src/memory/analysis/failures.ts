import type { AnalysisCategory, AnalysisErrors } from '../../schema/generated.ts';
import type { LoopHistory } from './history.ts';

/** Fixed, remaining and new failures, over the attempts whose evaluation is stored. */
export function errorCounts(loops: readonly LoopHistory[]): AnalysisErrors {
  const deltas = loops.flatMap(({ attempts }) => attempts.flatMap(({ errors }) => errors ?? []));
  const sum = (key: 'fixed' | 'same' | 'new'): number =>
    deltas.reduce((total, delta) => total + delta[key], 0);
  return { attempts: deltas.length, fixed: sum('fixed'), same: sum('same'), new: sum('new') };
}

/** Failure categories of reflections, the most frequent first. */
export function categoryCounts(loops: readonly LoopHistory[]): AnalysisCategory[] {
  const categories = loops.flatMap(({ attempts }) => attempts.flatMap(({ category }) => category ?? []));
  return [...Map.groupBy(categories, (category) => category)]
    .map(([category, all]) => ({ category, count: all.length, share: all.length / categories.length }))
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
}
