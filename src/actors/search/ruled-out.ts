import type { Reflection, RuledOut } from '../../schema/generated.ts';

/** Most signatures that a reflection carries. */
export const RULED_OUT_LIMIT = 5000;

/** What an attempt learned not to try again. */
export interface TriedEdits {
  /** Signatures of this attempt's refuted edits, in the order in which they were tried. */
  readonly signatures: readonly string[];
  /** The edit that came nearest, and how near. */
  readonly nearest?: string;
}

/** Signatures that earlier attempts ruled out. */
export function ruledOutFrom(reflections: readonly Reflection[]): Set<string> {
  return new Set(reflections.flatMap(({ actor_output }) => actor_output.ruled_out?.edits ?? []));
}

/** What a trajectory carries on: earlier signatures and this attempt's, the newest kept where they are too many. */
export function mergeRuledOut(previous: ReadonlySet<string>, tried: TriedEdits): RuledOut {
  const merged = new Set(previous);
  for (const signature of tried.signatures) {
    merged.delete(signature);
    merged.add(signature);
  }
  return {
    tried: tried.signatures.length,
    edits: [...merged].slice(-RULED_OUT_LIMIT),
    ...(tried.nearest === undefined ? {} : { nearest: tried.nearest.slice(0, 1000) }),
  };
}
