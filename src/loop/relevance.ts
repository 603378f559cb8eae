import type { Diagnostic, Reflection } from '../schema/generated.ts';

/** Weights of a shared failure, a shared file and the same failure category: the more specific, the higher. */
const WEIGHTS = { fingerprint: 4, file: 2, category: 1 } as const;

/**
 * Sorts reflections by what they share with the present failures: fingerprints, files and category; the newest first
 * among equals. The category of the present failures is taken from the newest reflection. `newestFirst` must be sorted.
 */
export function byRelevance(
  newestFirst: readonly Reflection[],
  failures: readonly Diagnostic[],
): Reflection[] {
  const failing = failures.filter(({ severity }) => severity === 'error');
  const now = {
    fingerprints: new Set(failing.map(({ fingerprint }) => fingerprint)),
    files: new Set(failing.flatMap(filesOf)),
    category: newestFirst[0] && categoryOf(newestFirst[0]),
  };
  const scored = newestFirst.map((reflection) => ({ reflection, score: relevanceOf(reflection, now) }));
  return scored.sort((a, b) => b.score - a.score).map(({ reflection }) => reflection);
}

function relevanceOf(
  reflection: Reflection,
  now: { fingerprints: ReadonlySet<string>; files: ReadonlySet<string>; category: string | undefined },
): number {
  const { actor_output, evaluator_output } = reflection;
  const errors = evaluator_output.errors;
  const files = [...actor_output.files_modified, ...errors.flatMap(filesOf)];
  return (
    WEIGHTS.fingerprint * share(now.fingerprints, new Set(errors.map(({ fingerprint }) => fingerprint))) +
    WEIGHTS.file * share(now.files, new Set(files)) +
    (categoryOf(reflection) === now.category ? WEIGHTS.category : 0)
  );
}

/** Share of the wanted items that were found, 0..1; 0 if none are wanted. */
function share(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : [...wanted].filter((item) => found.has(item)).length / wanted.size;
}

function filesOf({ file, frames }: Diagnostic): string[] {
  return [file, ...(frames ?? []).map((frame) => frame.file)].filter((path) => path !== undefined);
}

function categoryOf({ self_reflection }: Reflection): string {
  return self_reflection.credit_assignment.failure_category;
}
