import type { Candidate } from '../syntax/edit.ts';
import { shapeOf } from '../syntax/edit-shape.ts';
import type { Favour } from './experience.ts';
import type { Scored } from './queue.ts';

/** So many are tried before all others. */
const MOST_RECALLED = 30;

/**
 * Candidates like what fixed things here before, the most promising first: edits of the same shape, or by an operator
 * that made a repair. Few enough to be tried by themselves, in front of the first batch; empty without experience.
 */
export function recalled(ranked: readonly Scored[], { operators, shapes }: Favour): Candidate[] {
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
