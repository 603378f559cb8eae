import type { TestCase } from '../../schema/generated.ts';

/** Files that the user lets the actor change, by their paths relative to the root. */
export interface AllowedFiles {
  /** Tests in it may be renamed, or moved to a new file. */
  readonly mayChange: (path: string) => boolean;
  /** The user names this very file: it may go with all of its tests, if they passed. */
  readonly mayVanish: (path: string) => boolean;
}

const NONE: AllowedFiles = { mayChange: () => false, mayVanish: () => false };

/**
 * The baseline's tests without those that are not required any more, all of them in files that the actor may change: renamed
 * ones, in a file that runs at least as many tests as before; those that run under the same name in a file that the
 * baseline does not have; and the passed ones of a file that may vanish and has.
 */
export function withoutRenamed(
  baseline: readonly TestCase[],
  now: readonly TestCase[],
  { mayChange, mayVanish }: AllowedFiles = NONE,
): TestCase[] {
  const ids = new Set(now.filter(counts).map(({ id }) => id));
  const before = countByFile(baseline);
  const after = countByFile(now);
  const failedIn = new Set(baseline.flatMap(({ status, file }) => (status === 'failed' ? (file ?? []) : [])));
  const moved = new Set(
    now.flatMap(({ name, file, status }) =>
      file !== undefined && !before.has(file) && status === 'passed' ? [name] : [],
    ),
  );
  return baseline.filter(({ id, name, file }) => {
    if (ids.has(id) || file === undefined || !mayChange(file)) return true;
    if (after.has(file)) return after.get(file)! < before.get(file)!;
    return !moved.has(name) && !(mayVanish(file) && !failedIn.has(file));
  });
}

function countByFile(tests: readonly TestCase[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { file } of tests.filter(counts))
    if (file !== undefined) counted.set(file, (counted.get(file) ?? 0) + 1);
  return counted;
}

function counts({ status }: TestCase): boolean {
  return status !== 'skipped';
}
