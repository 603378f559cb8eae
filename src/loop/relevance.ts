import type { Diagnostic, Reflection } from '../schema/generated.ts';

/** What is shared counts by how much it says: the very failure, a file, a category. */
const WEIGHTS = { fingerprint: 4, file: 2, category: 1 } as const;

/**
 * Reflections that share failures, files and category with what fails now, the most first; of equals the newest. The
 * category of what fails now is the newest reflection's. `newestFirst` must be in that order.
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

/** How much of what is looked for is there, 0..1. */
function share(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : [...wanted].filter((item) => found.has(item)).length / wanted.size;
}

function filesOf({ file, frames }: Diagnostic): string[] {
  return [file, ...(frames ?? []).map((frame) => frame.file)].filter((path) => path !== undefined);
}

function categoryOf({ self_reflection }: Reflection): string {
  return self_reflection.credit_assignment.failure_category;
}
