import { LEFT_OUT, orderIn } from '../../platform/redaction/unsafe-text.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckResult, TestCase } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { ratioOf, tallyTests, type TestTally } from './baseline.ts';

/** A check's report with its score against the baseline; `weighResults` adds the weight. */
export type ScoredReport = CheckReport & {
  /** 0..1; 1 exactly where the check passed. */
  readonly score: number;
  /** Ids of baseline tests that did not run now. */
  readonly missing: readonly string[];
};

/** The same check in the loop's first evaluation. */
export interface CheckBaseline {
  readonly result: CheckResult | undefined;
  readonly tests: readonly TestCase[];
}

/**
 * Scores one check, 0..1. Tests: the share that passes, of at least the baseline's tests. Types and lint: 1 or 0. A
 * command: like tests where it reports tests, else 1 or 0. A check that could not run: 0.
 */
export function scoreReport(report: CheckReport, baseline?: CheckBaseline): ScoredReport {
  if (report.kind === 'types' || report.kind === 'lint') return scorePlain(report);
  if (report.tests.length > 0 || (baseline?.tests.length ?? 0) > 0) return scoreTests(report, baseline);
  if (report.total > 0 || (baseline?.result?.total ?? 0) > 0) return scoreCounts(report, baseline?.result);
  const isEmpty = report.kind === 'tests' && report.tool !== 'command' && report.status === 'pass';
  return scorePlain(isEmpty ? { ...report, status: 'error', detail: 'No test ran.' } : report);
}

/** The report with an error that no test reported; it lowers the score as one more failed test would. */
export function addFailure(report: ScoredReport, detail: string): ScoredReport {
  const share = report.total > 0 ? report.passed / (report.total + 1) : 0;
  return {
    ...report,
    status: 'fail',
    detail,
    score: Math.min(report.score, share),
    errors: report.errors + 1,
  };
}

/** Gives every result its share of the reward, 0..1, in sum 1. A check that is skipped as a whole has the share 0. */
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

/** Σ weightᵢ·scoreᵢ / Σ weightᵢ, 0..1; 1 exactly for a green tree, 0 without any weight. */
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
  if (ratio === undefined) return scoreSkipped(counted);
  if (report.status === 'error') return { ...counted, score: 0 };
  const green = failed === 0 && missing.length === 0;
  if (green && report.status === 'fail') return addFailure({ ...counted, score: 1 }, report.detail);
  const detail = describe(report, tally);
  return { ...counted, status: green ? 'pass' : 'fail', score: ratio, detail };
}

/** The score where every test is skipped, which is never a pass. */
function scoreSkipped(report: CheckReport & { readonly missing: readonly string[] }): ScoredReport {
  return { ...report, status: report.status === 'pass' ? 'skip' : report.status, score: 0 };
}

function describe(report: CheckReport, { pinned, pinnedPassed, missing }: TestTally): string {
  if (missing.length === 0) return report.detail;
  const lost = `${plural(missing.length, 'baseline test')} did not run, first ${orderIn(missing[0]!) === undefined ? missing[0] : LEFT_OUT}`;
  return `${pinnedPassed} of ${plural(pinned, 'baseline test')} passed; ${lost}. ${report.detail}`;
}

/** Scores a report with counts and without names: only the baseline's total can be compared. */
function scoreCounts(report: CheckReport, baseline: CheckResult | undefined): ScoredReport {
  const total = Math.max(report.total, baseline?.total ?? 0);
  const failed = total - report.passed;
  const counted = { ...report, total, failed, missing: [] };
  if (report.status === 'error') return { ...counted, score: 0 };
  if (failed === 0 && report.status !== 'pass') return addFailure({ ...counted, score: 1 }, report.detail);
  return { ...counted, status: failed === 0 ? 'pass' : 'fail', score: report.passed / total };
}
