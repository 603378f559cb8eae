import { renderColumns, renderShare } from './statistics.ts';

/** A result with the confidence of its choice. */
export interface Claimed {
  /** Whether an edit was claimed to be a repair. */
  readonly isClaimed: boolean;
  readonly isRight: boolean;
  /** 0..1; null if it is not known. */
  readonly confidence: number | null;
}

/** Claims at and above one threshold. */
export interface PrecisionPoint {
  /** 0..1 */
  readonly min_confidence: number;
  readonly claimed: number;
  readonly right: number;
}

const THRESHOLDS = [0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** How many claims remain, and are right, at thresholds from 0 to 0.9. */
export function precisionCurve(results: readonly Claimed[]): PrecisionPoint[] {
  return THRESHOLDS.map((threshold) => {
    const claims = results.filter(({ isClaimed, confidence }) => isClaimed && (confidence ?? 1) >= threshold);
    return {
      min_confidence: threshold,
      claimed: claims.length,
      right: claims.filter(({ isRight }) => isRight).length,
    };
  });
}

/** The curve as a table; `problems` is the number of all results. */
export function renderCurve(curve: readonly PrecisionPoint[], problems: number): string[] {
  const rows = curve.map(({ min_confidence, claimed, right }) => [
    min_confidence.toFixed(2),
    String(claimed),
    String(right),
    renderShare(right, claimed),
    renderShare(right, problems),
  ]);
  return renderColumns([['confidence from', 'claimed', 'right', 'precision', 'recall'], ...rows]);
}

/** `right of claimed: 54 of 60 (90.0%)`. */
export function renderPrecision(right: number, claimed: number): string {
  return `right of claimed: ${right} of ${claimed} (${renderShare(right, claimed)})`;
}
