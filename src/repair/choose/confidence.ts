import type { Coverage } from './coverage.ts';

/** What speaks for or against the best edit beside its share. */
export interface Evidence extends Coverage {
  /** Whether it takes statements from the tests that passed before. */
  readonly losesPaths: boolean;
  /** Share of the compared inputs on which it changes its arguments and the unchanged code does not, 0..1. */
  readonly mutations: number;
}

/**
 * The confidence from which an edit is claimed to be a repair; below it the edits are only listed. Chosen on the problems
 * of `ralph bench humanevalfix --part tuning`.
 */
export const MIN_CONFIDENCE = 0.4;

const IDLE_FACTOR = 0.5;
const UNREACHED_POWER = 2;
const LOST_PATHS_FACTOR = 0.3;
/** With more tests than these, statements that no test reaches weigh less. */
const FEW_TESTS = 6;

/**
 * How sure it is that the best behaviour is the intended one, 0..1: its share of the weight of all plausible edits, less
 * if the tests leave a part of the changed functions or a whole loop unexecuted, if it keeps passing tests from what they ran
 * before, and if it changes arguments that were left alone.
 */
export function confidenceOf(
  share: number,
  { reached, hasIdleLoop, tests, losesPaths, mutations }: Evidence,
): number {
  const power = UNREACHED_POWER * Math.min(1, FEW_TESTS / Math.max(1, tests));
  const doubts = (hasIdleLoop ? IDLE_FACTOR : 1) * (losesPaths ? LOST_PATHS_FACTOR : 1) * (1 - mutations);
  return share * reached ** power * doubts;
}
