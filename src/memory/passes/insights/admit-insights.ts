import type { Lesson } from '../../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../../lessons/contract.ts';
import { errorLine, observationText, outcomeLine } from '../observe/text.ts';
import type { Proposal } from './proposal.ts';

/** A proposal that the gate took, and the lesson that it became. */
export interface AdmittedProposal {
  readonly proposal: Proposal;
  readonly lesson?: Lesson;
}

/**
 * Takes proposals through the gate, each with the attempts that it names as its ground. One that the gate refuses is
 * left out; one that has nothing to show does not get there, and is marked so already.
 */
export async function admitInsights(
  proposals: readonly Proposal[],
  store: LessonStore,
  model?: string,
): Promise<{ readonly admitted: AdmittedProposal[]; readonly refused: number }> {
  const verified = proposals.filter((proposal) => proposal.verified);
  const admissions: Admission[] = [];
  for (const proposal of verified) {
    const grounds = { kind: 'texts', texts: proposal.evidence.map(observationText) } as const;
    admissions.push(...(await store.admit([candidateOf(proposal, model)], grounds)));
  }
  const admitted = verified.flatMap((proposal, index) => {
    const admission = admissions[index];
    if (admission === undefined || isRefused(admission)) return [];
    return [{ proposal, ...(admission.lesson !== undefined && { lesson: admission.lesson }) }];
  });
  const unverified = proposals.filter((proposal) => !proposal.verified).map((proposal) => ({ proposal }));
  return { admitted: [...admitted, ...unverified], refused: verified.length - admitted.length };
}

/** That there is no room for one more lesson does not speak against an insight; that the user took it out does. */
function isRefused({ outcome, step }: { readonly outcome: string; readonly step?: string }): boolean {
  return outcome === 'refused' && step !== 'cap';
}

function candidateOf({ text, importance, evidence }: Proposal, model: string | undefined): LessonCandidate {
  const last = evidence.at(-1)!;
  const fingerprints = [...new Set(evidence.flatMap((one) => [...one.same, ...one.fresh, ...one.fixed]))];
  return {
    text,
    type: evidence.some((one) => one.fixed.length > 0) ? 'fix_pattern' : 'pitfall',
    subject: 'project',
    source: {
      ...{ pass: 'insight', loop_id: last.loop_id, iteration: last.iteration },
      ...(model !== undefined && { model }),
    },
    evidence: evidence.slice(-20).map((one) => ({
      quote: one.errors[0] === undefined ? outcomeLine(one) : errorLine(one.errors[0]).slice(0, 500),
      ...(one.errors[0]?.file !== undefined && { file: one.errors[0].file }),
      ...{ loop_id: one.loop_id, iteration: one.iteration },
    })),
    confidence: Math.min(0.9, 0.4 + evidence.length / 10),
    importance,
    files: [...new Set(evidence.flatMap((one) => one.files))].slice(0, 50),
    fingerprints: fingerprints.slice(0, 50),
  };
}
