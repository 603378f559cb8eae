import type { LessonCandidate } from '../contract.ts';

/** Steps of the gate as a refusal names them. */
export type GateStep = 'invalid' | 'safety' | 'ungrounded' | 'duplicate' | 'conflict' | 'cap';

/** A step's decision not to admit a candidate. */
export interface Refusal {
  readonly ok: false;
  readonly step: GateStep;
  /** A sentence. */
  readonly reason: string;
}

/** The candidate as the next step gets it, or the refusal. */
export type GateResult = { readonly ok: true; readonly candidate: LessonCandidate } | Refusal;

export function refusal(step: GateStep, reason: string): Refusal {
  return { ok: false, step, reason };
}
