import type { Behaviours } from './behaviours.ts';
import type { Candidate } from '../syntax/edit.ts';
import { CHANGED } from '../syntax/value-text.ts';

/** A candidate that passes the tests. */
export interface Plausible {
  readonly candidate: Candidate;
  /** How promising the candidate was before its trial. */
  readonly score: number;
  /** Inserts exactly the result that a failing test expects, instead of computing it. */
  readonly answers: boolean;
}

/** Power of the likeness: candidates that differ on more than a few inputs hardly support each other. */
const LIKENESS_POWER = 32;
const SIZE_POWER = 0.25;
/** Weight of a removed character; an inserted one weighs 1. */
const REMOVED_SHARE = 0.5;
const ANSWER_FACTOR = 0.3;
/** Factor for a candidate that changes its arguments on every input on which the unchanged code does not. */
const MUTATION_FLOOR = 0.3;
/** Factor for a candidate under which no example in the comments holds; not 0, because comments grow out of date. */
const EXAMPLES_FLOOR = 0.3;

/**
 * Plausible candidates, best first: natural and small edits under which the examples in comments hold, which do not
 * change their arguments and behave like the unchanged code on inputs that no test has. Candidates with the same
 * behaviour support each other: each adds its score to the others'.
 */
export function rankByMerit(
  plausible: readonly Plausible[],
  { original, of, examples }: Behaviours,
): Candidate[] {
  const entries = plausible.map(({ candidate, score, answers }) => {
    const outputs = of.get(candidate);
    const trust =
      (answers ? ANSWER_FACTOR : 1) *
      above(EXAMPLES_FLOOR, examples.get(candidate) ?? 1) *
      above(MUTATION_FLOOR, 1 - mutationShare(outputs, original));
    return { candidate, score: score * trust, outputs };
  });
  const merits = entries.map((entry) => {
    const support = entries.reduce((sum, { outputs, score }) => {
      const likeness = outputs === entry.outputs ? 1 : likenessOf(entry.outputs, outputs);
      return sum + score * likeness ** LIKENESS_POWER;
    }, 0);
    const closeness = Math.exp(likenessOf(entry.outputs, original));
    const size = sizeOf(entry.candidate) ** SIZE_POWER;
    return { candidate: entry.candidate, merit: (entry.score * support * closeness) / size };
  });
  return merits.sort((a, b) => b.merit - a.merit).map(({ candidate }) => candidate);
}

/** At least 1. */
function sizeOf({ edits }: Candidate): number {
  return edits.reduce(
    (sum, { start, end, replacement }) => sum + REMOVED_SHARE * (end - start) + replacement.length,
    1,
  );
}

/** Linear from the floor, for a share of 0, to 1. */
function above(floor: number, share: number): number {
  return floor + (1 - floor) * share;
}

/** Share of the inputs, 0..1, on which the candidate changes its arguments and the unchanged code does not. */
function mutationShare(outputs: readonly string[] | undefined, original: readonly string[]): number {
  if (outputs === undefined || outputs.length === 0) return 0;
  const changes = (text: string | undefined): boolean => text?.includes(CHANGED) === true;
  return outputs.filter((text, index) => changes(text) && !changes(original[index])).length / outputs.length;
}

/** Share of the inputs, 0..1, with equal results; 0 if nothing could be compared. */
function likenessOf(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined || a.length === 0) return 0;
  return a.filter((text, index) => text === b[index]).length / a.length;
}
