import type { Coverage } from './coverage.ts';

/**
 * The confidence from which an edit is claimed to be a repair; below it the edits are only listed. Chosen on the problems
 * of `ralph bench humanevalfix --part tuning`.
 */
export const MIN_CONFIDENCE = 0.4;

const IDLE_FACTOR = 0.5;
const UNREACHED_POWER = 2;
/** With more tests than these, statements that no test reaches weigh less. */
const FEW_TESTS = 6;

/**
 * How sure it is that the best behaviour is the intended one, 0..1: its share of the weight of all plausible edits, less
 * if the tests leave a part of the changed functions or a whole loop unexecuted.
 */
export function confidenceOf(share: number, { reached, hasIdleLoop, tests }: Coverage): number {
  const power = UNREACHED_POWER * Math.min(1, FEW_TESTS / Math.max(1, tests));
  return share * reached ** power * (hasIdleLoop ? IDLE_FACTOR : 1);
}
