import type { AcceptedEdit } from '../../schema/generated.ts';

/** Reads what fixed things in this repository before, oldest first. */
export type ReadExperience = () => Promise<readonly AcceptedEdit[]>;

/** What experience says of a search for one test file's failures: factors on priors and on scores. */
export interface Favour {
  /** By an operator's name. */
  readonly operators: ReadonlyMap<string, number>;
  /** By a source file's path. */
  readonly files: ReadonlyMap<string, number>;
}

export const NO_FAVOUR: Favour = { operators: new Map(), files: new Map() };

/** Repairs of other test files tell less about the operators that these failures need. */
const ELSEWHERE = 0.5;
/** As if so many repairs had been seen that say nothing. */
const RESERVE = 3;
const MOST_FOR_OPERATORS = 1;
const MOST_FOR_FILES = 0.5;

/**
 * The share of earlier repairs that an operator made, and of those for the same test file that lay in a source
 * file, each held back while they are few: up to twice the prior, up to half as much again for a place.
 */
export function favourFor(testFile: string, experience: readonly AcceptedEdit[]): Favour {
  const weightOf = ({ test_file }: AcceptedEdit): number => (test_file === testFile ? 1 : ELSEWHERE);
  const here = experience.filter(({ test_file }) => test_file === testFile);
  return {
    operators: sharesOf(experience, ({ operator }) => operator, weightOf, MOST_FOR_OPERATORS),
    files: sharesOf(here, ({ file_path }) => file_path, weightOf, MOST_FOR_FILES),
  };
}

function sharesOf(
  experience: readonly AcceptedEdit[],
  keyOf: (edit: AcceptedEdit) => string,
  weightOf: (edit: AcceptedEdit) => number,
  most: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  let total = RESERVE;
  for (const edit of experience) {
    const weight = weightOf(edit);
    total += weight;
    counts.set(keyOf(edit), (counts.get(keyOf(edit)) ?? 0) + weight);
  }
  return new Map([...counts].map(([key, count]) => [key, 1 + (most * count) / total]));
}
