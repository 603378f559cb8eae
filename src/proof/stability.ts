import type { Check, CheckRequest } from '../ports.ts';
import type { TestCase } from '../schema/generated.ts';

/** Runs of the changed tests after the first. A source that is right half of the time passes them all in 3 of 100 cases. */
const FURTHER_RUNS = 5;

/** A test that passed and did not pass again on the same tree. */
export interface UnstableTest {
  readonly id: string;
  /** Number of the further run in which it failed, 1-based. */
  readonly run: number;
}

/**
 * Runs tests again and returns those that fail in one of the runs, by the ids of the check's own reports. A run in which
 * a test does not appear says nothing about it. Stops after the first run with a failure.
 */
export async function findUnstableTests(
  check: Check,
  request: CheckRequest,
  tests: readonly TestCase[],
): Promise<UnstableTest[]> {
  if (tests.length === 0) return [];
  const ids = new Set(tests.map(({ id }) => id));
  const files = [...new Set(tests.map(({ file }) => file!))];
  for (let run = 1; run <= FURTHER_RUNS && !request.signal.aborted; run++) {
    const report = await check.run({ ...request, fresh: true, files });
    const failed = report.tests.filter(({ id, status }) => ids.has(id) && status === 'failed');
    if (failed.length > 0) return failed.map(({ id }) => ({ id, run }));
  }
  return [];
}

/** One sentence on tests that are not stable; the list is not empty. */
export function describeUnstable(unstable: readonly UnstableTest[]): string {
  const [first] = unstable;
  const more = unstable.length > 1 ? `, and ${unstable.length - 1} more` : '';
  const nth = first!.run === 1 ? 'the next run' : `further run ${first!.run}`;
  return `${first!.id} passed, and failed in ${nth} of the same tree${more}: the result is not stable.`;
}
