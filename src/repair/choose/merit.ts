import type { Behaviours } from './behaviours.ts';
import type { Candidate } from '../syntax/edit.ts';
import { CHANGED } from '../syntax/value-text.ts';

/** A candidate that passes the tests. */
export interface Plausible {
  readonly candidate: Candidate;
  /** How promising it was before its trial. */
  readonly score: number;
  /** Puts in just what a failing test expects: it may know the answer instead of finding it. */
  readonly answers: boolean;
}

/** Two that differ on more than a few inputs hardly speak for each other. */
const LIKENESS_POWER = 32;
const SIZE_POWER = 0.25;
/** What is taken away counts less than what is put in. */
const REMOVED_SHARE = 0.5;
const ANSWER_FACTOR = 0.3;
/** What is left of the score of one that changes its arguments wherever the unchanged code leaves them alone. */
const MEDDLING_FLOOR = 0.3;
/** What is left of the score of one that keeps to no example in the comments; those age, and are no tests. */
const EXAMPLES_FLOOR = 0.3;

/**
 * Plausible candidates, best first: natural, small, true to the examples in comments, without a hand in what they
 * are given, and close to the unchanged code on inputs that no test has.
 * Independent edits that lead to the same behaviour speak for it: each lends the others its score.
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
      above(MEDDLING_FLOOR, 1 - meddling(outputs, original));
    return { candidate, score: score * trust, outputs };
  });
  const merits = entries.map((entry) => {
    const support = entries.reduce((sum, { outputs, score }) => {
      const likeness = outputs === entry.outputs ? 1 : likenessOf(entry.outputs, outputs);
      return sum + score * likeness ** LIKENESS_POWER;
    }, 0);
    const closeness = Math.exp(likenessOf(entry.outputs, original));
    const size = weightOf(entry.candidate) ** SIZE_POWER;
    return { candidate: entry.candidate, merit: (entry.score * support * closeness) / size };
  });
  return merits.sort((a, b) => b.merit - a.merit).map(({ candidate }) => candidate);
}

function weightOf({ edits }: Candidate): number {
  return edits.reduce(
    (sum, { start, end, replacement }) => sum + REMOVED_SHARE * (end - start) + replacement.length,
    1,
  );
}

/** From the floor to 1, as the share goes from 0 to 1. */
function above(floor: number, share: number): number {
  return floor + (1 - floor) * share;
}

/** Share of the inputs on which only the candidate changes what it is given. */
function meddling(outputs: readonly string[] | undefined, original: readonly string[]): number {
  if (outputs === undefined || outputs.length === 0) return 0;
  const changes = (text: string | undefined): boolean => text?.includes(CHANGED) === true;
  return outputs.filter((text, index) => changes(text) && !changes(original[index])).length / outputs.length;
}

/** Share of the inputs on which two behave in the same way; 0 where nothing could be compared. */
function likenessOf(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined || a.length === 0) return 0;
  return a.filter((text, index) => text === b[index]).length / a.length;
}
