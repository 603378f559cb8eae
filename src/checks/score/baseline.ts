import type { TestCase } from '../../schema/generated.ts';
import { REDACTED, redact } from '../../platform/redaction/redact.ts';
import { FILE_CASE } from '../results/test-results.ts';

/** One check's tests, counted against those of the baseline. Skipped tests count nowhere. */
export interface TestTally {
  /** Baseline tests that passed or failed then: the part of `total` that can never shrink. */
  readonly pinned: number;
  /** Of these, how many pass now. */
  readonly pinnedPassed: number;
  /** Tests that pass, new ones included. */
  readonly passed: number;
  /** Tests that fail, baseline tests that are missing or skipped now, and new ones included. */
  readonly failed: number;
  readonly total: number;
  /** Ids of baseline tests that did not run now. */
  readonly missing: readonly string[];
}

/**
 * Counts the tests of a run. With a baseline, its tests are all asked for again: a missing or newly skipped one
 * has failed. Without, the run is its own baseline.
 */
export function tallyTests(run: readonly TestCase[], baseline: readonly TestCase[] = run): TestTally {
  const tests = namedAs(baseline, run);
  const now = new Map(tests.map((test) => [test.id, test.status]));
  const then = new Map(baseline.map((test) => [test.id, test.status]));
  const loaded = new Set(tests.filter((test) => test.name !== FILE_CASE).map((test) => test.file));
  const pinned = baseline.filter((test) => test.status !== 'skipped' && !hasComeApart(test, now, loaded));
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
 * Share of tests that pass, 0..1: that of the baseline's tests, which new tests can lower and never lift.
 * `undefined` where no test counts.
 */
export function ratioOf({ pinned, pinnedPassed, passed, total }: TestTally): number | undefined {
  if (total === 0) return undefined;
  return Math.min(pinned === 0 ? 1 : pinnedPassed / pinned, passed / total);
}

/** The case that stood for a file which could not be loaded is gone once the file's own tests are seen. */
function hasComeApart(
  test: TestCase,
  now: ReadonlyMap<string, TestCase['status']>,
  loaded: ReadonlySet<string | undefined>,
): boolean {
  return test.name === FILE_CASE && !now.has(test.id) && loaded.has(test.file);
}

/** A baseline that was stored has no secrets in its names; a run that is held against it must not have them either. */
function namedAs(baseline: readonly TestCase[], run: readonly TestCase[]): readonly TestCase[] {
  if (!baseline.some(({ id }) => id.includes(REDACTED))) return run;
  return run.map((test) => ({ ...test, id: redact(test.id) }));
}

function isMissing(status: TestCase['status'] | undefined): boolean {
  return status === undefined || status === 'skipped';
}

function countOf(tests: readonly TestCase[], status: TestCase['status']): number {
  return tests.filter((test) => test.status === status).length;
}
