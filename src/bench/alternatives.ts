import type { Trajectory } from '../schema/generated.ts';

/** Another patch that an attempt holds to be as good as far as the tests can tell. */
export interface Alternative {
  readonly signature: string;
  /** The changed file as it would be, whole. */
  readonly text: string;
}

/** The other plausible patches of an attempt, best first. No trajectory carries any yet. */
export function alternativesOf(_trajectory: Trajectory): readonly Alternative[] {
  return [];
}

/** Whether what was accepted, or one of the alternatives, passes the judge: the best of a run's candidates. */
export async function bestOfCandidates(
  trajectories: readonly Trajectory[],
  acceptedPasses: boolean,
  passes: (text: string) => Promise<boolean>,
): Promise<boolean> {
  if (acceptedPasses) return true;
  for (const { text } of trajectories.flatMap(alternativesOf)) if (await passes(text)) return true;
  return false;
}
