import type { FailureCategory } from '../../schema/generated.ts';
import { diagnoseEdits } from './diagnose-edits.ts';
import { diagnoseEnvironment } from './diagnose-environment.ts';
import { diagnoseIdle } from './diagnose-idle.ts';
import { diagnoseOutcome } from './diagnose-outcome.ts';
import { escalate } from './escalation.ts';
import type { Evidence } from './evidence.ts';

/** Cause of a failed attempt and the next step. All texts are full sentences without attempt numbers, except `next`. */
export interface Diagnosis {
  readonly category: FailureCategory;
  /** One sentence with a place and a value. */
  readonly rootCause: string;
  /** How the cause led to the failures. */
  readonly because: string;
  /** Completes a sentence that begins with "I will". */
  readonly next: string;
  /** A fact about this repository that holds beyond this attempt; empty if nothing was learned. */
  readonly lesson: string;
  /** Strength of the evidence, 0..1. */
  readonly strength: number;
}

/** A rule: a diagnosis, or undefined if the rule does not apply. */
export type Diagnose = (evidence: Evidence) => Diagnosis | undefined;

/** Ordered: first causes that invalidate all other evidence, then causes of many failures, then wrong values. */
const RULES: readonly Diagnose[] = [diagnoseIdle, diagnoseEnvironment, diagnoseEdits];

/** The diagnosis of the first rule that applies; from the third attempt with the same failure, with an escalated next step. */
export function diagnose(evidence: Evidence): Diagnosis {
  const diagnosis = applyRules(evidence);
  const escalation = escalate(evidence);
  if (escalation === undefined) return diagnosis;
  return { ...diagnosis, because: escalation.why, next: escalation.next };
}

function applyRules(evidence: Evidence): Diagnosis {
  for (const rule of RULES) {
    const diagnosis = rule(evidence);
    if (diagnosis !== undefined) return diagnosis;
  }
  return diagnoseOutcome(evidence);
}
