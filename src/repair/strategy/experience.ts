import type { AcceptedEdit } from '../../schema/generated.ts';
import { shapeOf } from '../syntax/edit-shape.ts';

/** Reads what fixed things in this repository before, oldest first. */
export type ReadExperience = () => Promise<readonly AcceptedEdit[]>;

/** What experience says of a search for one test file's failures: factors on priors and on scores. */
export interface Favour {
  /** By an operator's name. */
  readonly operators: ReadonlyMap<string, number>;
  /** By a source file's path. */
  readonly files: ReadonlyMap<string, number>;
  /** By the shape of an edit. */
  readonly shapes: ReadonlyMap<string, number>;
}

export const NO_FAVOUR: Favour = { operators: new Map(), files: new Map(), shapes: new Map() };

/** Repairs of other test files tell less about the operators that these failures need. */
const ELSEWHERE = 0.5;
/** As if so many repairs had been seen that say nothing. */
const RESERVE = 3;
const MOST_FOR_OPERATORS = 1;
const MOST_FOR_FILES = 0.5;
const MOST_FOR_SHAPES = 8;

/**
 * The share of earlier repairs that an operator made, and of those for the same test file that lay in a source
 * file, each held back while they are few: up to twice the prior, up to half as much again for a place. A slip that was made
 * in several places asks for the same edit in each: its shape counts most.
 */
export function favourFor(testFile: string, experience: readonly AcceptedEdit[]): Favour {
  const weightOf = ({ test_file }: AcceptedEdit): number => (test_file === testFile ? 1 : ELSEWHERE);
  const here = experience.filter(({ test_file }) => test_file === testFile);
  return {
    operators: sharesOf(experience, ({ operator }) => operator, weightOf, MOST_FOR_OPERATORS),
    files: sharesOf(here, ({ file_path }) => file_path, weightOf, MOST_FOR_FILES),
    shapes: sharesOf(experience, ({ edit }) => shapeOf(edit), weightOf, MOST_FOR_SHAPES),
  };
}

function sharesOf(
  experience: readonly AcceptedEdit[],
  keyOf: (edit: AcceptedEdit) => string | undefined,
  weightOf: (edit: AcceptedEdit) => number,
  most: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  let total = RESERVE;
  for (const edit of experience) {
    const weight = weightOf(edit);
    const key = keyOf(edit);
    total += weight;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + weight);
  }
  return new Map([...counts].map(([key, count]) => [key, 1 + (most * count) / total]));
}
