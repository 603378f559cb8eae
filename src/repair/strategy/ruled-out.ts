import { createHash } from 'node:crypto';
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

/**
 * An edit that is refuted is refuted for the failures it was tried on, and for no others: ` ~` and a hash of the
 * test file and its failing tests, to stand behind a signature.
 */
export function scopeOf(file: string, testIds: readonly string[]): string {
  const text = [file, ...[...testIds].sort()].join('\n');
  return ` ~${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** The signatures that are ruled out in one scope, and those that are ruled out in every one. */
export function ruledOutIn(scope: string, known: ReadonlySet<string>): Set<string> {
  return new Set(
    [...known].flatMap((entry) => {
      if (entry.endsWith(scope)) return [entry.slice(0, -scope.length)];
      return / ~[0-9a-f]{8}$/.test(entry) ? [] : [entry];
    }),
  );
}

/** What earlier attempts ruled out, each with its scope. */
export function ruledOutFrom(reflections: readonly Reflection[]): Set<string> {
  return new Set(reflections.flatMap(({ actor_output }) => actor_output.ruled_out?.edits ?? []));
}

/**
 * What a trajectory carries on: earlier signatures and this attempt's. Where they are too many the combined edits
 * go first, being many and each tried late, then the oldest.
 */
export function mergeRuledOut(previous: ReadonlySet<string>, tried: TriedEdits): RuledOut {
  const merged = new Set(previous);
  for (const signature of tried.signatures) {
    merged.delete(signature);
    merged.add(signature);
  }
  return {
    tried: tried.signatures.length,
    edits: [...merged].sort((a, b) => Number(isCombined(b)) - Number(isCombined(a))).slice(-RULED_OUT_LIMIT),
    ...(tried.nearest === undefined ? {} : { nearest: tried.nearest.slice(0, 1000) }),
  };
}

/** Two edits or more in one signature, `a → b and c → d`. */
function isCombined(signature: string): boolean {
  return signature.split(' → ').length > 2;
}
