import type { CheckReport } from '../../ports.ts';
import type { CheckResult, TestCase } from '../../schema/generated.ts';
import { ratioOf, tallyTests, type TestTally } from './baseline.ts';

/** A check's report, judged against the baseline; its weight is added by `weighResults`. */
export type ScoredReport = CheckReport & {
  /** 0..1; exactly 1 where and only where the check passed. */
  readonly score: number;
  /** Ids of baseline tests that did not run now. */
  readonly missing: readonly string[];
};

/** What the loop's first evaluation saw of the same check. */
export interface CheckBaseline {
  readonly result: CheckResult | undefined;
  readonly tests: readonly TestCase[];
}

/**
 * Scores one check: tests by the share that passes of at least the baseline's tests, types and lint 1 or 0, a
 * command by its tests where it reports some, else 1 or 0. What could not run scores 0, whatever it reported.
 */
export function scoreReport(report: CheckReport, baseline?: CheckBaseline): ScoredReport {
  if (report.kind === 'types' || report.kind === 'lint') return scorePlain(report);
  if (report.tests.length > 0 || (baseline?.tests.length ?? 0) > 0) return scoreTests(report, baseline);
  if (report.total > 0 || (baseline?.result?.total ?? 0) > 0) return scoreCounts(report, baseline?.result);
  const isEmpty = report.kind === 'tests' && report.tool !== 'command' && report.status === 'pass';
  return scorePlain(isEmpty ? { ...report, status: 'error', detail: 'No test ran.' } : report);
}

/** One more test that failed: what the runner did not report and yet keeps its tests from being green. */
export function addFailure(report: ScoredReport, detail: string): ScoredReport {
  const counts = report.total > 0;
  const total = report.total + 1;
  return {
    ...report,
    status: 'fail',
    detail,
    score: counts ? Math.min(report.score, report.passed / total) : 0,
    ...(counts ? { failed: report.failed + 1, total } : {}),
  };
}

/** Gives every result its share of the reward; a check that is skipped as a whole does not exist. */
export function weighResults(
  reports: readonly ScoredReport[],
  weightOf: (name: string) => number,
): CheckResult[] {
  const weights = reports.map((report) => (report.status === 'skip' ? 0 : weightOf(report.name)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return reports.map((report, index) => ({
    ...toResult(report),
    weight: sum === 0 ? 0 : weights[index]! / sum,
  }));
}

/** Σ weightᵢ·scoreᵢ / Σ weightᵢ, 0..1; exactly 1 for a green tree, 0 where nothing counts. */
export function rewardOf(results: readonly Pick<CheckResult, 'weight' | 'score'>[]): number {
  const earned = results.reduce((sum, result) => sum + result.weight * result.score, 0);
  const possible = results.reduce((sum, result) => sum + result.weight, 0);
  return possible === 0 ? 0 : Math.min(1, earned / possible);
}

function toResult({ diagnostics: _diagnostics, tests: _tests, missing: _missing, ...result }: ScoredReport) {
  return result;
}

function scorePlain(report: CheckReport): ScoredReport {
  return { ...report, score: report.status === 'pass' ? 1 : 0, missing: [] };
}

function scoreTests(report: CheckReport, baseline: CheckBaseline | undefined): ScoredReport {
  const tally = tallyTests(report.tests, baseline?.tests);
  const { passed, failed, total, missing } = tally;
  const counted = { ...report, passed, failed, total, missing };
  const ratio = ratioOf(tally);
  if (ratio === undefined) return scoreNothing(counted);
  if (report.status === 'error') return { ...counted, score: 0 };
  const green = failed === 0 && missing.length === 0;
  if (green && report.status === 'fail') return addFailure({ ...counted, score: 1 }, report.detail);
  const detail = describe(report, tally);
  return { ...counted, status: green ? 'pass' : 'fail', score: ratio, detail };
}

/** Every test is skipped: nothing to judge by, and never a pass. */
function scoreNothing(report: CheckReport & { readonly missing: readonly string[] }): ScoredReport {
  return { ...report, status: report.status === 'pass' ? 'skip' : report.status, score: 0 };
}

function describe(report: CheckReport, { pinned, pinnedPassed, missing }: TestTally): string {
  if (missing.length === 0) return report.detail;
  const lost = `${missing.length} of the baseline's tests did not run`;
  return `${pinnedPassed} of the baseline's ${pinned} tests passed; ${lost}, first ${missing[0]}. ${report.detail}`;
}

/** Reports with counts and no names: the baseline's total alone can be held against them. */
function scoreCounts(report: CheckReport, baseline: CheckResult | undefined): ScoredReport {
  const total = Math.max(report.total, baseline?.total ?? 0);
  const failed = total - report.passed;
  const counted = { ...report, total, failed, missing: [] };
  if (report.status === 'error') return { ...counted, score: 0 };
  if (failed === 0 && report.status !== 'pass') return addFailure({ ...counted, score: 1 }, report.detail);
  return { ...counted, status: failed === 0 ? 'pass' : 'fail', score: report.passed / total };
}
