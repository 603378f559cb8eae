import type { TestCase } from '../../schema/generated.ts';
import { REDACTED, redact } from '../../platform/redaction/redact.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** The tests of one check, compared with those of the baseline. Skipped tests are not counted. */
export interface TestTally {
  /** Number of baseline tests that passed or failed: `total` is never smaller. */
  readonly pinned: number;
  /** How many of the pinned tests pass now. */
  readonly pinnedPassed: number;
  /** Tests that pass, including new ones. */
  readonly passed: number;
  /** Tests that fail, including new ones, and pinned tests that are missing or skipped now. */
  readonly failed: number;
  readonly total: number;
  /** Ids of baseline tests that did not run now. */
  readonly missing: readonly string[];
}

/**
 * Counts the tests of a run. A baseline test that is missing or newly skipped counts as failed. Without a baseline, the
 * run is its own.
 */
export function tallyTests(run: readonly TestCase[], baseline: readonly TestCase[] = run): TestTally {
  const tests = withRedactedIds(baseline, run);
  const now = new Map(tests.map((test) => [test.id, test.status]));
  const then = new Map(baseline.map((test) => [test.id, test.status]));
  const loaded = new Set(tests.filter((test) => test.name !== FILE_CASE).map((test) => test.file));
  const pinned = baseline.filter(
    (test) => test.status !== 'skipped' && !isReplacedByTests(test, now, loaded),
  );
  const statuses = pinned.map((test) => now.get(test.id));
  const pinnedPassed = statuses.filter((status) => status === 'passed').length;
  const added = tests.filter((test) => !then.has(test.id));
  const passed = pinnedPassed + countOf(added, 'passed');
  const failed = pinned.length - pinnedPassed + countOf(added, 'failed');
  return {
    pinned: pinned.length,
    pinnedPassed,
    passed,
    failed,
    total: passed + failed,
    missing: pinned.filter((test) => isMissing(now.get(test.id))).map((test) => test.id),
  };
}

/**
 * Share of tests that pass, 0..1: the share of the pinned tests, which new tests can lower but not raise. `undefined`
 * where no test is counted.
 */
export function ratioOf({ pinned, pinnedPassed, passed, total }: TestTally): number | undefined {
  if (total === 0) return undefined;
  return Math.min(pinned === 0 ? 1 : pinnedPassed / pinned, passed / total);
}

/** Whether a file case of the baseline has been replaced by the tests of its file. */
function isReplacedByTests(
  test: TestCase,
  now: ReadonlyMap<string, TestCase['status']>,
  loaded: ReadonlySet<string | undefined>,
): boolean {
  return test.name === FILE_CASE && !now.has(test.id) && loaded.has(test.file);
}

/** A stored baseline has its secrets redacted; the ids of the run are redacted in the same way to match. */
function withRedactedIds(baseline: readonly TestCase[], run: readonly TestCase[]): readonly TestCase[] {
  if (!baseline.some(({ id }) => id.includes(REDACTED))) return run;
  return run.map((test) => ({ ...test, id: redact(test.id) }));
}

function isMissing(status: TestCase['status'] | undefined): boolean {
  return status === undefined || status === 'skipped';
}

function countOf(tests: readonly TestCase[], status: TestCase['status']): number {
  return tests.filter((test) => test.status === status).length;
}
