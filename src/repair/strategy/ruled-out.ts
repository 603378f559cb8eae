import { createHash } from 'node:crypto';
import type { Reflection, RuledOut } from '../../schema/generated.ts';

/** Largest number of signatures in a reflection. */
export const RULED_OUT_LIMIT = 5000;

/** Characters of the description of the nearest edit. */
const MAX_NEAREST = 1000;

/** The edits that an attempt ruled out. */
export interface TriedEdits {
  /** Signatures with their scopes, in the order of trial. */
  readonly signatures: readonly string[];
  /** An edit that fixed a test and was still ruled out, with its effect. */
  readonly nearest?: string;
}

/**
 * Suffix of the signatures that are ruled out for certain failures: ` ~` and a hash of the test file and its failing
 * tests. An edit that does not repair these failures may repair others.
 */
export function scopeOf(file: string, testIds: readonly string[]): string {
  const text = [file, ...[...testIds].sort()].join('\n');
  return ` ~${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** The signatures, without scope, that are ruled out in one scope; those without a scope apply to every one. */
export function ruledOutIn(scope: string, known: ReadonlySet<string>): Set<string> {
  return new Set(
    [...known].flatMap((entry) => {
      if (entry.endsWith(scope)) return [entry.slice(0, -scope.length)];
      return / ~[0-9a-f]{8}$/.test(entry) ? [] : [entry];
    }),
  );
}

/** Signatures with their scopes that earlier attempts ruled out. */
export function ruledOutFrom(reflections: readonly Reflection[]): Set<string> {
  return new Set(reflections.flatMap(({ actor_output }) => actor_output.ruled_out?.edits ?? []));
}

/**
 * A trajectory's record of earlier signatures and this attempt's, at most 5,000. If there are more, signatures of
 * combined edits are dropped first, since there are many of them and each is tried late, then the oldest.
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
    nearest: tried.nearest?.slice(0, MAX_NEAREST),
  };
}

/** Whether a signature names two edits or more: `a → b and c → d`. */
function isCombined(signature: string): boolean {
  return signature.split(' → ').length > 2;
}
