import type { AnalysisCalibration } from '../../schema/generated.ts';
import type { AttemptHistory, LoopHistory } from './history.ts';
import { FEW, shareOf } from '../statistics/shares.ts';
import { bootstrap, correlation } from '../statistics/statistics.ts';

/** A reflection that was followed by an attempt. `confidence`: 0..1. */
export interface Judged {
  readonly confidence: number;
  /** Whether that attempt was better than the one that the reflection is about. */
  readonly improved: boolean;
}

/** Lower bounds of the confidence bins; the last bin includes 1. */
const BINS = [0, 0.5, 0.7, 0.85] as const;

/** Reflections with a confidence that were followed by an attempt. */
export function judgedReflections(loops: readonly LoopHistory[]): Judged[] {
  return loops.flatMap(({ attempts }) =>
    attempts.flatMap((attempt, index) => {
      const next = attempts[index + 1];
      if (attempt.confidence === undefined || next?.iteration !== attempt.iteration + 1) return [];
      return [{ confidence: attempt.confidence, improved: isBetter(next, attempt) }];
    }),
  );
}

/**
 * How well confidence predicts improvement: the share of reflections followed by an improvement per confidence bin, with
 * its Wilson interval, and the correlation of confidence and improvement with a bootstrap interval.
 */
export function calibration(judged: readonly Judged[]): AnalysisCalibration {
  const pairs = judged.map(({ confidence, improved }) => [confidence, improved ? 1 : 0] as const);
  const interval = bootstrap(pairs, correlation);
  const bins = BINS.map((from, index) => {
    const to = BINS[index + 1] ?? 1;
    const inside = judged.filter(
      ({ confidence }) => confidence >= from && (confidence < to || index === BINS.length - 1),
    );
    return { from, to, ...shareOf(inside, ({ improved }) => improved) };
  });
  return {
    n: judged.length,
    too_few: judged.length < FEW,
    correlation: correlation(pairs),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    bins,
  };
}

function isBetter(next: AttemptHistory, than: AttemptHistory): boolean {
  return (next.passed && !than.passed) || next.reward > than.reward;
}
