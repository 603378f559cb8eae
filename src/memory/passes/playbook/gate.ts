/** Attempts between two rewrites: none within `cooldown`, always after `periodic`. */
export const GATE = { cooldown: 10, periodic: 20 } as const;

/** What the gate looks at. */
export interface GateState {
  /** Attempts committed in this repository. */
  readonly seq: number;
  /** `seq` when the playbook was last written; 0: never. */
  readonly lastSeq: number;
  /** Since then a lesson was supported, contradicted, confirmed, strengthened or replaced. */
  readonly shifted: boolean;
  readonly pendingInsights: number;
  readonly stagedLessons: number;
}

export type GateVerdict =
  | { readonly open: true; readonly trigger: 'periodic' | 'event' }
  | { readonly open: false; readonly reason: 'cooldown' | 'not_due' };

/** Whether a rewrite is due. The cooldown comes first: nothing overrides it. */
export function openGate({ seq, lastSeq, shifted, pendingInsights, stagedLessons }: GateState): GateVerdict {
  const since = seq - lastSeq;
  if (since < GATE.cooldown) return { open: false, reason: 'cooldown' };
  if (since >= GATE.periodic) return { open: true, trigger: 'periodic' };
  const waits = pendingInsights + stagedLessons > 0;
  return shifted && waits ? { open: true, trigger: 'event' } : { open: false, reason: 'not_due' };
}
