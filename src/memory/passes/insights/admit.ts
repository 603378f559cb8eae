import type { Lesson, Observation } from '../../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../../lessons/contract.ts';
import { renderError, renderObservation, renderOutcome } from '../observe/render.ts';
import { MOST_EVIDENCE, type Proposal } from './proposal.ts';

/** A proposal that was not refused, with its lesson where it became one. */
export interface AdmittedProposal {
  readonly proposal: Proposal;
  readonly lesson?: Lesson;
}

/**
 * Sends verified proposals through the lessons' gate, grounded in the attempts that each names; refused ones are left
 * out. Unverified proposals have no evidence: they bypass the gate and become no lessons.
 */
export async function admitInsights(
  proposals: readonly Proposal[],
  store: LessonStore,
): Promise<{ readonly admitted: AdmittedProposal[]; readonly refused: number }> {
  const verified = proposals.filter((proposal) => proposal.verified);
  const admissions: Admission[] = [];
  for (const proposal of verified) {
    const grounds = { kind: 'texts', texts: proposal.evidence.map(renderObservation) } as const;
    admissions.push(...(await store.admit([toCandidate(proposal)], grounds)));
  }
  const admitted = verified.flatMap((proposal, index): AdmittedProposal[] => {
    const admission = admissions[index];
    if (admission === undefined || isRefused(admission)) return [];
    return [{ proposal, lesson: admission.lesson }];
  });
  const unverified = proposals.filter((proposal) => !proposal.verified).map((proposal) => ({ proposal }));
  return { admitted: [...admitted, ...unverified], refused: verified.length - admitted.length };
}

/** A full store of lessons is no reason to drop an insight. */
function isRefused({ outcome, step }: Admission): boolean {
  return outcome === 'refused' && step !== 'cap';
}

function toCandidate({ text, importance, evidence }: Proposal): LessonCandidate {
  const last = evidence.at(-1)!;
  const fingerprints = [...new Set(evidence.flatMap((one) => [...one.same, ...one.fresh, ...one.fixed]))];
  return {
    text,
    type: evidence.some((one) => one.fixed.length > 0) ? 'fix_pattern' : 'pitfall',
    subject: 'project',
    source: { pass: 'insight', loop_id: last.loop_id, iteration: last.iteration },
    evidence: evidence.slice(-MOST_EVIDENCE).map((one) => ({
      quote: quoteFrom(one),
      file: one.errors[0]?.file,
      loop_id: one.loop_id,
      iteration: one.iteration,
    })),
    confidence: Math.min(0.9, 0.4 + evidence.length / 10),
    importance,
    files: [...new Set(evidence.flatMap((one) => one.files))].slice(0, 50),
    fingerprints: fingerprints.slice(0, 50),
  };
}

function quoteFrom(observation: Observation): string {
  const [error] = observation.errors;
  return error === undefined ? renderOutcome(observation) : renderError(error).slice(0, 500);
}
