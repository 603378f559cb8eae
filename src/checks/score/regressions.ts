import { compareFailures } from '../../schema/compare-failures.ts';
import type { CheckResult, CheckStatus, Evaluation, TestCase } from '../../schema/generated.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** The parts of an evaluation that are compared. */
export type Judged = Pick<Evaluation, 'checks' | 'diagnostics' | 'tests' | 'missing_tests'>;

/**
 * `--no-regressions`: whether a tree is better than the baseline and in no respect worse. Failures of the baseline may
 * remain, but at least one must be gone. No check may be worse, no test missing, no test or fingerprint newly failing.
 */
export function isImprovement(now: Judged, baseline: Judged): boolean {
  return !hasRegression(now, baseline) && hasGain(now, baseline);
}

const RANK: Readonly<Record<CheckStatus, number>> = { pass: 2, skip: 2, fail: 1, error: 0 };

/** Whether a tree is in some respect worse than the baseline. */
export function hasRegression(now: Judged, baseline: Judged): boolean {
  return (
    now.missing_tests.length > 0 ||
    now.checks.some((check) => isWorse(check, resultOf(baseline, check.name))) ||
    newFailures(now.tests, baseline.tests).length > 0 ||
    exceeds(failuresOutsideTests(now), failuresOutsideTests(baseline))
  );
}

function isWorse(now: CheckResult, then: CheckResult | undefined): boolean {
  if (then === undefined || now.status === 'error') return now.status !== 'pass';
  const countsErrors = now.kind === 'types' || now.kind === 'lint';
  return RANK[now.status] < RANK[then.status] || (countsErrors && now.errors > then.errors);
}

/** Tests that fail now and did not fail before, without those of a file that could not be loaded before. */
export function newFailures(now: readonly TestCase[], then: readonly TestCase[]): readonly TestCase[] {
  const before = then.filter((test) => test.status === 'failed');
  const ids = new Set(before.map((test) => test.id));
  const unloaded = new Set(before.filter((test) => test.name === FILE_CASE).map((test) => test.file));
  return now.filter((test) => test.status === 'failed' && !ids.has(test.id) && !unloaded.has(test.file));
}

/** Number of failures by fingerprint, without those of tests: these are compared by test. */
function failuresOutsideTests({ diagnostics }: Judged): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fingerprint } of diagnostics.filter(
    (it) => it.severity === 'error' && it.test_id === undefined,
  )) {
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  }
  return counts;
}

function exceeds(now: ReadonlyMap<string, number>, then: ReadonlyMap<string, number>): boolean {
  return [...now].some(([fingerprint, count]) => count > (then.get(fingerprint) ?? 0));
}

function hasGain(now: Judged, baseline: Judged): boolean {
  // No test is missing here, so a failure that is gone has been fixed.
  const failing = new Set(now.tests.filter((test) => test.status === 'failed').map((test) => test.id));
  return (
    baseline.tests.some((test) => test.status === 'failed' && !failing.has(test.id)) ||
    baseline.checks.some(
      (check) => check.status === 'fail' && resultOf(now, check.name)?.status === 'pass',
    ) ||
    fixedOutsideTests(now, baseline)
  );
}

function fixedOutsideTests(now: Judged, baseline: Judged): boolean {
  const compared = compareFailures({ ...baseline, passed: false }, { ...now, passed: false });
  return compared.fixed.some(({ test_id: id, severity }) => id === undefined && severity === 'error');
}

function resultOf({ checks }: Pick<Evaluation, 'checks'>, name: string): CheckResult | undefined {
  return checks.find((check) => check.name === name);
}
