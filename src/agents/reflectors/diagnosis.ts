import type { FailureCategory } from '../../schema/generated.ts';
import { diagnoseEdits } from './diagnose-edits.ts';
import { diagnoseEnvironment } from './diagnose-environment.ts';
import { diagnoseIdle } from './diagnose-idle.ts';
import { diagnoseOutcome } from './diagnose-outcome.ts';
import { escalate } from './escalation.ts';
import type { Evidence } from './evidence.ts';

/** Why an attempt failed and what follows from it. All texts are whole sentences without an attempt's number. */
export interface Diagnosis {
  readonly category: FailureCategory;
  readonly rootCause: string;
  /** How the cause led to what the checks saw. */
  readonly because: string;
  /** As the rest of a sentence that begins with "I will". */
  readonly next: string;
  /** What holds in this repository beyond this attempt; empty where nothing was learned. */
  readonly lesson: string;
  /** How surely the evidence points here, 0..1. */
  readonly strength: number;
}

/** A rule: what it makes of the evidence, or undefined where it has nothing to say. */
export type Diagnose = (evidence: Evidence) => Diagnosis | undefined;

/** In this order: what makes all other evidence worthless, then what other failures hang on, then the values. */
const RULES: readonly Diagnose[] = [diagnoseIdle, diagnoseEnvironment, diagnoseEdits];

/** By the first rule that applies; what a third like failure means for the next step comes on top. */
export function diagnose(evidence: Evidence): Diagnosis {
  const diagnosis = firstOf(evidence);
  const escalation = escalate(evidence);
  if (escalation === undefined) return diagnosis;
  return { ...diagnosis, because: escalation.why, next: escalation.next };
}

function firstOf(evidence: Evidence): Diagnosis {
  for (const rule of RULES) {
    const diagnosis = rule(evidence);
    if (diagnosis !== undefined) return diagnosis;
  }
  return diagnoseOutcome(evidence);
}
