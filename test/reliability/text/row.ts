import type { Row } from '../suite.ts';

/** Result of one sample. */
export interface Trial {
  readonly name: string;
  readonly held: boolean;
}

const MAX_NAMED = 40;

/** Counts trials; the gaps are the names of those that failed. */
export function rowOf(claim: string, trials: readonly Trial[]): Row {
  const failed = trials.filter(({ held }) => !held);
  const gaps = failed.slice(0, MAX_NAMED).map(({ name }) => name);
  return { claim, tried: trials.length, held: trials.length - failed.length, gaps };
}
