/** When attempts are synthesised, and how much of it is kept. */
export interface InsightSettings {
  /** Newest attempts that a synthesis looks at. */
  readonly recent: number;
  /** Active insights; the rest is archived. */
  readonly capacity: number;
  /** Attempts between two syntheses; 0: only when asked. */
  readonly reflectEvery: number;
  /** 0..1: attempts below it are archived once a synthesis has seen them. */
  readonly threshold: number;
}

/** Insights that one synthesis is asked for. */
export const ASKED = { least: 3, most: 5 } as const;

/** A synthesis that failed is tried again after this share of `reflectEvery` attempts. */
const RETRY_SHARE = 1 / 3;

/** True where enough attempts have been committed since the last synthesis, and since the last that failed. */
export function isInsightDue(
  seq: number,
  {
    reflected_through: reflected,
    tried_through: tried,
  }: { reflected_through: number; tried_through: number },
  { reflectEvery }: InsightSettings,
): boolean {
  if (reflectEvery <= 0 || seq - reflected < reflectEvery) return false;
  return tried <= reflected || seq - tried >= Math.ceil(reflectEvery * RETRY_SHARE);
}
