import type { Row } from './suite.ts';

/** Result of one attack or fault. */
export interface Trial {
  readonly name: string;
  /** One line for each expectation that did not hold. */
  readonly problems: readonly string[];
  /** Reason why this machine cannot make the trial; it is not counted then. */
  readonly unsupported?: string;
}

const MAX_NAMED = 40;

/** Counts trials. The gaps are the known ones, then the failed trials, then those that this machine cannot make. */
export function rowOf(claim: string, trials: readonly Trial[], knownGaps: readonly string[] = []): Row {
  const made = trials.filter(({ unsupported }) => unsupported === undefined);
  const failed = made.filter(({ problems }) => problems.length > 0);
  return {
    claim,
    tried: made.length,
    held: made.length - failed.length,
    gaps: [
      ...knownGaps,
      ...failed.slice(0, MAX_NAMED).map(({ name, problems }) => `${name}: ${problems.join('; ')}`),
      ...trials.flatMap(({ name, unsupported }) =>
        unsupported === undefined ? [] : [`not tried here: ${name} (${unsupported})`],
      ),
    ],
  };
}
