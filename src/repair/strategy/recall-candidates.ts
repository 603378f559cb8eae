import type { Candidate } from '../syntax/edit.ts';
import { shapeOf } from '../syntax/edit-shape.ts';
import type { ExperienceFactors } from './experience.ts';
import type { RankedCandidate } from './propose.ts';

/** Candidates that are tried before all others. */
const MOST_RECALLED = 30;

/**
 * Candidates that resemble earlier repairs, most promising first: edits of the same shape or by an operator that made a
 * repair. At most 30, so that they cost one small batch before the others; none without experience.
 */
export function recallCandidates(
  ranked: readonly RankedCandidate[],
  { operators, shapes }: ExperienceFactors,
): Candidate[] {
  if (shapes.size === 0 && operators.size === 0) return [];
  return ranked
    .flatMap(({ candidate, score }) => {
      const factor = shapes.get(shapeOf(candidate.signature) ?? '');
      const isKnown = factor !== undefined || operators.has(candidate.operator);
      return isKnown ? [{ candidate, score: score * (factor ?? 1) }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_RECALLED)
    .map(({ candidate }) => candidate);
}
