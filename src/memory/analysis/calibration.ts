import type { AnalysisCalibration } from '../../schema/generated.ts';
import type { AttemptHistory, LoopHistory } from './history.ts';
import { FEW, shareOf } from './shares.ts';
import { bootstrap, correlation } from './statistics.ts';

/** A reflection that was followed by an attempt. */
export interface Judged {
  readonly confidence: number;
  /** Whether the attempt after it was better than the one that it was about. */
  readonly improved: boolean;
}

/** Lower ends; the last one holds 1 as well. */
const BINS = [0, 0.5, 0.7, 0.85] as const;

/** Reflections with a confidence that an attempt followed. */
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
 * Whether confidence tells what comes of it: the share of reflections that were followed by an improvement, by
 * confidence, each with its Wilson interval; and the correlation of both with a bootstrap interval over reflections.
 */
export function calibration(judged: readonly Judged[]): AnalysisCalibration {
  const related = (of: readonly Judged[]): number | null =>
    correlation(of.map(({ confidence, improved }) => [confidence, improved ? 1 : 0]));
  const interval = bootstrap(judged, related);
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
    correlation: related(judged),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    bins,
  };
}

function isBetter(next: AttemptHistory, than: AttemptHistory): boolean {
  return (next.passed && !than.passed) || next.reward > than.reward;
}
