import { applyPatch } from 'diff';
import type { Alternative, Trajectory } from '../../src/schema/generated.ts';

/** The other plausible patches of an attempt, best first. */
export function alternativesOf({ alternatives = [] }: Trajectory): readonly Alternative[] {
  return alternatives;
}

/** The text with a unified diff of one file applied; undefined if the diff does not apply exactly. */
export function patched(text: string, patch: string): string | undefined {
  const result = applyPatch(text, patch);
  return result === false ? undefined : result;
}

/**
 * Whether the accepted result or an alternative passes the judge. `text` is the program before the run. Counts the
 * alternatives of the first attempt that has any: those of later attempts start from another text.
 */
export async function bestOfCandidates(
  trajectories: readonly Trajectory[],
  text: string,
  accepted: { readonly passes: boolean; readonly judge: (text: string) => Promise<boolean> },
): Promise<boolean> {
  if (accepted.passes) return true;
  const first = trajectories.find((trajectory) => alternativesOf(trajectory).length > 0);
  for (const { patch } of first === undefined ? [] : alternativesOf(first)) {
    const changed = patched(text, patch);
    if (changed !== undefined && (await accepted.judge(changed))) return true;
  }
  return false;
}
