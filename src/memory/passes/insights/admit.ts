import type { Lesson, Observation } from '../../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../../lessons/contract.ts';
import { keptAdvice } from '../../lessons/advice-problem.ts';
import { renderError, renderObservation, renderOutcome } from '../observe/render.ts';
import { MOST_EVIDENCE, type Proposal } from './proposal.ts';

/** A proposal that was not refused, with its lesson where it became one. */
export interface AdmittedProposal {
  readonly proposal: Proposal;
  readonly lesson?: Lesson;
}

/**
 * Sends verified proposals through the lessons' gate, grounded in the attempts that each names; refused ones are left
 * out. Unverified proposals have no evidence: they bypass that gate and become no lessons. Of a model, nothing is kept but
 * advice that may be told in this repository.
 */
export async function admitInsights(
  found: readonly Proposal[],
  store: LessonStore,
  repositoryRoot: string,
): Promise<{ readonly admitted: AdmittedProposal[]; readonly refused: number }> {
  const proposals = found.flatMap((one) => (one.isModels === true ? asAdvice(one, repositoryRoot) : [one]));
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
  return {
    admitted: [...admitted, ...unverified],
    refused: found.length - admitted.length - unverified.length,
  };
}

function asAdvice(proposal: Proposal, repositoryRoot: string): Proposal[] {
  const { evidence } = proposal;
  const errors = evidence.flatMap((one) => one.errors);
  const files = [...evidence.flatMap((one) => one.files), ...errors.flatMap(({ file }) => file ?? [])];
  const text = keptAdvice(repositoryRoot, { text: proposal.text, files }, errors);
  return text === undefined ? [] : [{ ...proposal, text }];
}

/** A full store of lessons is no reason to drop an insight. */
function isRefused({ outcome, step }: Admission): boolean {
  return outcome === 'refused' && step !== 'cap';
}

function toCandidate({ text, importance, evidence, isModels }: Proposal): LessonCandidate {
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
    ...(isModels === true ? { claim: { kind: 'advice' } } : {}),
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
