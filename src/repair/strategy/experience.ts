import type { AcceptedEdit, WithheldMemory } from '../../schema/generated.ts';
import { shapeOf } from '../syntax/edit-shape.ts';

/** Reads the edits that repaired this repository before, oldest first, less what is withheld from the loop. */
export type ReadExperience = (withheld: WithheldMemory | undefined) => Promise<readonly AcceptedEdit[]>;

/** Factors above 1 on priors and scores, learnt from earlier repairs, for the failures of one test file. */
export interface ExperienceFactors {
  /** By name of the operator. */
  readonly operators: ReadonlyMap<string, number>;
  /** By path of the source file. */
  readonly files: ReadonlyMap<string, number>;
  /** By shape of the edit, as `shapeOf` returns it. */
  readonly shapes: ReadonlyMap<string, number>;
}

/** The factors without experience. */
export const NO_FACTORS: ExperienceFactors = { operators: new Map(), files: new Map(), shapes: new Map() };

/** Weight of a repair of another test file, which says less about these failures. */
const OTHER_FILE_WEIGHT = 0.5;
/** Pseudo-count: repairs added to the total, so that a few repairs have little influence. */
const PSEUDO_REPAIRS = 3;
const MOST_FOR_OPERATORS = 1;
const MOST_FOR_FILES = 0.5;
const MOST_FOR_SHAPES = 8;

/**
 * Factors from the share of earlier repairs that an operator made, that lay in a source file (repairs for the same test
 * file only) or that had a shape: at most 2, 1.5 and 9. The shape counts most, because a mistake that was made in
 * several places needs the same edit in each.
 */
export function factorsFrom(testFile: string, experience: readonly AcceptedEdit[]): ExperienceFactors {
  const weightOf = ({ test_file }: AcceptedEdit): number => (test_file === testFile ? 1 : OTHER_FILE_WEIGHT);
  const sameFile = experience.filter(({ test_file }) => test_file === testFile);
  return {
    operators: factorsBy(experience, ({ operator }) => operator, weightOf, MOST_FOR_OPERATORS),
    files: factorsBy(sameFile, ({ file_path }) => file_path, weightOf, MOST_FOR_FILES),
    shapes: factorsBy(experience, ({ edit }) => shapeOf(edit), weightOf, MOST_FOR_SHAPES),
  };
}

function factorsBy(
  experience: readonly AcceptedEdit[],
  keyOf: (edit: AcceptedEdit) => string | undefined,
  weightOf: (edit: AcceptedEdit) => number,
  most: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  let total = PSEUDO_REPAIRS;
  for (const edit of experience) {
    const weight = weightOf(edit);
    const key = keyOf(edit);
    total += weight;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + weight);
  }
  return new Map([...counts].map(([key, count]) => [key, 1 + (most * count) / total]));
}
