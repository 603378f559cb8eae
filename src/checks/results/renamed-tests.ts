import type { TestCase } from '../../schema/generated.ts';

/**
 * The baseline's tests less those that were renamed in a file which the user lets the actor change: tests that are
 * gone from a file that has as many that pass or fail as before. Of a file with fewer, every one is still asked for.
 */
export function withoutRenamed(
  baseline: readonly TestCase[],
  now: readonly TestCase[],
  isAllowed: (path: string) => boolean = () => false,
): TestCase[] {
  const ids = new Set(now.filter(counts).map(({ id }) => id));
  const before = countByFile(baseline);
  const after = countByFile(now);
  return baseline.filter(({ id, file }) => {
    if (ids.has(id) || file === undefined || !isAllowed(file)) return true;
    return (after.get(file) ?? 0) < (before.get(file) ?? 0);
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
