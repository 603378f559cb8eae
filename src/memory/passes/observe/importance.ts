/** What the importance of an attempt rests on. */
export interface Stakes {
  /** Of the reward, against what the attempt started from; -1..1. */
  readonly rewardChange: number;
  /** A failure that no attempt in this repository has shown before. */
  readonly isNews: boolean;
  /** Passed where what it started from failed, or the other way round. */
  readonly flipped: boolean;
}

/** 0..1; whatever it gives is clamped. */
export type ScoreImportance = (stakes: Stakes) => number;

const WEIGHTS = { change: 0.6, news: 0.3, flip: 0.4 } as const;

/** How much an attempt is worth remembering: most where something changed that was not known. */
export const scoreImportance: ScoreImportance = ({ rewardChange, isNews, flipped }) =>
  WEIGHTS.change * Math.abs(rewardChange) + (isNews ? WEIGHTS.news : 0) + (flipped ? WEIGHTS.flip : 0);

/** Within 0..1, and 0 for what is no number. */
export function clampImportance(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
}
