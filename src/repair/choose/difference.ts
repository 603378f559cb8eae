import type { Behaviours } from './behaviours.ts';
import type { BehaviourClass } from './merit.ts';

/** An input on which two plausible edits differ. */
export interface Difference {
  /** `name(arguments)`. */
  readonly input: string;
  /** Results of the best edit and of the other one. */
  readonly results: readonly [string, string];
}

/** The shortest compared input on which two behaviours differ; undefined if none is known. */
export function differenceBetween(
  { inputs }: Pick<Behaviours, 'inputs'>,
  a: BehaviourClass | undefined,
  b: BehaviourClass | undefined,
): Difference | undefined {
  const found = inputs.flatMap((input, index): Difference[] => {
    const results = [a?.outputs?.[index], b?.outputs?.[index]] as const;
    const [first, second] = results;
    return first === undefined || second === undefined || first === second
      ? []
      : [{ input, results: [first, second] }];
  });
  return found.sort((x, y) => x.input.length - y.input.length)[0];
}
