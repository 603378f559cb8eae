import type { Row } from '../suite.ts';

/** One thing that was tried, and whether it held. */
export interface Trial {
  readonly name: string;
  readonly held: boolean;
}

const MOST_NAMED = 40;

/** The row of some trials; what did not hold is named. */
export function rowOf(what: string, trials: readonly Trial[]): Row {
  const failed = trials.filter(({ held }) => !held);
  const gaps = failed.slice(0, MOST_NAMED).map(({ name }) => name);
  return { what, tried: trials.length, held: trials.length - failed.length, gaps };
}
