import type { Insights } from '../../../schema/generated.ts';

/** When attempts are synthesised, and how many insights are kept. */
export interface InsightSettings {
  /** Number of newest attempts that a synthesis reads. */
  readonly recent: number;
  /** Most active insights; the others are archived. */
  readonly capacity: number;
  /** Attempts between two syntheses; 0 for manual syntheses only. */
  readonly reflectEvery: number;
  /** Importance (0..1) below which attempts are archived after a synthesis has read them. */
  readonly threshold: number;
}

/** Number of insights that a synthesis asks for. */
export const REQUESTED = { least: 3, most: 5 } as const;

/** A failed synthesis is due again after this share of `reflectEvery` attempts. */
const RETRY_SHARE = 1 / 3;

/**
 * True where enough attempts have been committed since the last synthesis, and since the last failed one. `seq`: number
 * of the newest attempt.
 */
export function isInsightDue(
  seq: number,
  {
    reflected_through: reflected,
    tried_through: tried,
  }: Pick<Insights, 'reflected_through' | 'tried_through'>,
  { reflectEvery }: InsightSettings,
): boolean {
  if (reflectEvery <= 0 || seq - reflected < reflectEvery) return false;
  return tried <= reflected || seq - tried >= Math.ceil(reflectEvery * RETRY_SHARE);
}
