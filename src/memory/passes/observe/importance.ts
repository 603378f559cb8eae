/** The inputs of an attempt's importance. */
export interface ImportanceFactors {
  /** Reward of the attempt minus reward before it; -1..1. */
  readonly rewardChange: number;
  /** The attempt failed in a way that no earlier attempt in this repository did. */
  readonly isNewFailure: boolean;
  /** The attempt passed where the evaluation before it failed, or the reverse. */
  readonly flipped: boolean;
}

/** Importance of an attempt, 0..1; a result out of range is clamped. */
export type ScoreImportance = (factors: ImportanceFactors) => number;

const WEIGHTS = { rewardChange: 0.6, newFailure: 0.3, flip: 0.4 } as const;

/** Weighted sum of the reward's change, a new failure and a flipped outcome; may exceed 1. */
export const scoreImportance: ScoreImportance = ({ rewardChange, isNewFailure, flipped }) =>
  WEIGHTS.rewardChange * Math.abs(rewardChange) +
  (isNewFailure ? WEIGHTS.newFailure : 0) +
  (flipped ? WEIGHTS.flip : 0);

/** The value clamped to 0..1 and rounded to three decimals; 0 for NaN. */
export function clampImportance(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
}
