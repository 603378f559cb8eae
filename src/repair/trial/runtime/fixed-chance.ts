/** Loaded into the test process: runs of a test that draws random numbers, made comparable. */
import { createRandom } from './similar-values.ts';
import type { Course, TrialRealm } from './test-run.ts';

const SEED = 1;

/** A course in which every run draws the same random numbers from `Math.random`, unless the tested code replaces that itself. */
export function withFixedChance({ before, main, after }: Course, { Math: tested }: TrialRealm): Course {
  if (tested === undefined) return { before, main, after };
  const own = tested.random;
  let fixed: (() => number) | undefined;
  const fix = (): void => {
    fixed = createRandom(SEED);
    tested.random = fixed;
  };
  const restore = (): void => {
    if (tested.random === fixed) tested.random = own;
  };
  return { before: [fix, ...before], main, after: [...after, restore] };
}
