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
    .flatMap(({ candidate, order }) => {
      const factor = shapes.get(shapeOf(candidate.signature) ?? '');
      const isKnown = factor !== undefined || operators.has(candidate.operator);
      return isKnown ? [{ candidate, order: order * (factor ?? 1) }] : [];
    })
    .sort((a, b) => b.order - a.order)
    .slice(0, MOST_RECALLED)
    .map(({ candidate }) => candidate);
}

/**
 * The candidates in the order of trials: those that resemble earlier repairs take turns with the others, so that a memory of
 * other mistakes delays no candidate to more than twice its place. `head` is the length of the part with turns.
 */
export function takeTurns(
  ranked: readonly Candidate[],
  recalled: readonly Candidate[],
): { readonly order: readonly Candidate[]; readonly head: number } {
  const known = new Set(recalled);
  const others = ranked.filter((candidate) => !known.has(candidate));
  const turns = recalled.flatMap((candidate, index) => [candidate, ...others.slice(index, index + 1)]);
  return { order: [...turns, ...others.slice(recalled.length)], head: turns.length };
}
