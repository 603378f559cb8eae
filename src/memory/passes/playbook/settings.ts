/** Attempts since the last rewrite: none is made below `cooldown`, one always from `periodic` on. */
export const INTERVAL = { cooldown: 10, periodic: 20 } as const;

/** Limits of a rewrite: `ratio` of the former length and `names` of the former names must remain, each 0..1. */
export const REWRITE = { leastChars: 30, mostChars: 12_000, ratio: 0.6, names: 0.6 } as const;

/** The state of memory that decides whether a rewrite is due. */
export interface DueState {
  /** Number of attempts committed in this repository. */
  readonly seq: number;
  /** `seq` at the last rewrite; 0 for never. */
  readonly lastSeq: number;
  /** A lesson was supported, contradicted, confirmed, strengthened or superseded since then. */
  readonly shifted: boolean;
  readonly pendingInsights: number;
  readonly stagedLessons: number;
}

export type Due =
  | { readonly due: true; readonly trigger: 'periodic' | 'event' }
  | { readonly due: false; readonly reason: 'cooldown' | 'not_due' };

/** Whether a rewrite is due. Nothing overrides the cooldown. */
export function isRewriteDue({ seq, lastSeq, shifted, pendingInsights, stagedLessons }: DueState): Due {
  const since = seq - lastSeq;
  if (since < INTERVAL.cooldown) return { due: false, reason: 'cooldown' };
  if (since >= INTERVAL.periodic) return { due: true, trigger: 'periodic' };
  const hasPending = pendingInsights + stagedLessons > 0;
  return shifted && hasPending ? { due: true, trigger: 'event' } : { due: false, reason: 'not_due' };
}
