import type { AnalysisDifference, AnalysisEffect, MemoryTrial } from '../../schema/generated.ts';
import { shareOf } from '../statistics/shares.ts';
import { differenceOfMeans, differenceOfShares, mean, type Interval } from '../statistics/statistics.ts';

/** Loops on each side from which a difference of means has an interval. */
const LEAST = 8;

/** What being told changes, from loops that were assigned at random; loops without a result are left out. */
export function effectOf(told: readonly MemoryTrial[], untold: readonly MemoryTrial[]): AnalysisEffect {
  const [first, second] = [told.filter(hasEnded), untold.filter(hasEnded)];
  const [one, two] = [first, second].map((trials) => shareOf(trials, ({ passed }) => passed === true));
  const success = differenceOf(
    one!.share === null || two!.share === null ? null : one!.share - two!.share,
    differenceOfShares({ part: one!.part, whole: one!.n }, { part: two!.part, whole: two!.n }),
  );
  const attempts = meansOf(first, second, ({ attempts }) => attempts);
  const logs = meansOf(first, second, ({ tried }) => (tried === null ? null : Math.log(tried + 1)));
  const tried = {
    value: exponential(logs.value),
    low: exponential(logs.low),
    high: exponential(logs.high),
  };
  const isEnough = first.length >= LEAST && second.length >= LEAST;
  const isBelow = ({ high }: AnalysisDifference, limit: number): boolean => high !== null && high < limit;
  return {
    told: one!,
    untold: two!,
    success,
    attempts,
    tried,
    helps:
      isEnough && ((success.low !== null && success.low > 0) || isBelow(attempts, 0) || isBelow(tried, 1)),
  };
}

/** Loops with memory against loops without. */
export function memoryEffect(trials: readonly MemoryTrial[]): AnalysisEffect {
  return effectOf(
    trials.filter(({ arm }) => arm === 'told'),
    trials.filter(({ arm }) => arm === 'untold'),
  );
}

/** Loops that were told a lesson against those that it was withheld from, among those that drew it. */
export function lessonEffect(id: string, trials: readonly MemoryTrial[]): AnalysisEffect {
  const drawn = trials.filter(({ lessons }) => lessons.includes(id));
  return effectOf(
    drawn.filter(({ withheld }) => withheld !== id),
    drawn.filter(({ withheld }) => withheld === id),
  );
}

/** True for a loop whose result is known. */
export function hasEnded({ passed }: MemoryTrial): boolean {
  return passed !== null;
}

function meansOf(
  told: readonly MemoryTrial[],
  untold: readonly MemoryTrial[],
  of: (trial: MemoryTrial) => number | null,
): AnalysisDifference {
  const [first, second] = [told, untold].map((trials) =>
    trials.map(of).filter((value) => value !== null),
  ) as [number[], number[]];
  const [one, two] = [mean(first), mean(second)];
  if (one === null || two === null) return { value: null, low: null, high: null };
  const isEnough = first.length >= LEAST && second.length >= LEAST;
  return differenceOf(one - two, isEnough ? differenceOfMeans(first, second) : null);
}

function differenceOf(value: number | null, interval: Interval | null): AnalysisDifference {
  return { value, low: interval?.low ?? null, high: interval?.high ?? null };
}

function exponential(value: number | null): number | null {
  return value === null ? null : Math.exp(value);
}
