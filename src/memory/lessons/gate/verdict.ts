import type { LessonCandidate } from '../contract.ts';

/** The steps of the gate, as a refusal names them. */
export type GateStep = 'invalid' | 'safety' | 'ungrounded' | 'duplicate' | 'conflict' | 'cap';

/** Why a step does not let a candidate through. */
export interface Refusal {
  readonly ok: false;
  readonly step: GateStep;
  /** A sentence. */
  readonly reason: string;
}

/** What a step lets through, as it is to go on, or why not. */
export type Passage = { readonly ok: true; readonly candidate: LessonCandidate } | Refusal;

export function refusal(step: GateStep, reason: string): Refusal {
  return { ok: false, step, reason };
}
