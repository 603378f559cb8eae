import type { TestCase } from '../../schema/generated.ts';

/**
 * The baseline's tests without those that were renamed: tests that are missing from a file that the actor may change
 * (`isAllowed`) and that runs at least as many tests as before. In a file with fewer tests none counts as renamed.
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
