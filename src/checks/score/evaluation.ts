import { deltaOf } from '../../schema/compare-failures.ts';
import type { Evaluation, Metrics } from '../../schema/generated.ts';
import { hasRegression, isImprovement } from './regressions.ts';
import { rewardOf, weighResults, type ScoredReport } from './reward.ts';
import { verificationTypeOf } from './verification-type.ts';

const MAX_DIAGNOSTICS = 500;
const MAX_MISSING = 500;

/** Inputs of a summary besides the reports. */
export interface SummaryContext {
  /** Weight of a check before normalising. */
  readonly weightOf: (name: string) => number;
  readonly baseline: Evaluation | undefined;
  readonly previous: Evaluation | undefined;
  readonly noRegressions: boolean;
  /** With `noRegressions`: no failure of the baseline need be gone. Default false. */
  readonly mayStandStill?: boolean | undefined;
  readonly durationMs: number;
}

/** The evaluation of a tree from the scored reports of its checks: reward, verdict, delta and metrics. Pure. */
export function summarise(reports: readonly ScoredReport[], context: SummaryContext): Evaluation {
  const { baseline, previous, noRegressions, mayStandStill = false } = context;
  const judged = {
    checks: weighResults(reports, context.weightOf),
    diagnostics: reports.flatMap((report) => report.diagnostics).slice(0, MAX_DIAGNOSTICS),
    tests: reports.flatMap((report) => report.tests),
    missing_tests: reports.flatMap((report) => report.missing).slice(0, MAX_MISSING),
  };
  const green = isGreen(reports);
  const isNoWorse = (base: Evaluation): boolean =>
    mayStandStill ? !hasRegression(judged, base) : isImprovement(judged, base);
  const accepted = noRegressions && baseline !== undefined && isNoWorse(baseline);
  const passed = green || accepted;
  return {
    passed,
    reward: rewardOf(judged.checks),
    verification_type: verificationTypeOf(judged.checks, judged.tests),
    ...judged,
    delta: deltaOf({ ...judged, passed }, previous),
    metrics: metricsOf(reports),
    duration_ms: context.durationMs,
  };
}

/** Whether no check failed and at least one passed: checks that are all skipped prove nothing. */
function isGreen(reports: readonly ScoredReport[]): boolean {
  return (
    reports.some((report) => report.status === 'pass') &&
    reports.every((report) => report.status === 'pass' || report.status === 'skip') &&
    reports.every((report) => report.missing.length === 0)
  );
}

function metricsOf(reports: readonly ScoredReport[]): Metrics {
  const sum = (
    kinds: readonly ScoredReport['kind'][],
    field: 'passed' | 'failed' | 'total' | 'errors' | 'warnings',
  ) =>
    reports
      .filter((report) => kinds.includes(report.kind))
      .reduce((total, report) => total + report[field], 0);
  return {
    tests_passed: sum(['tests', 'command'], 'passed'),
    tests_failed: sum(['tests', 'command'], 'failed'),
    tests_total: sum(['tests', 'command'], 'total'),
    type_errors: sum(['types'], 'errors'),
    lint_errors: sum(['lint'], 'errors'),
    lint_warnings: sum(['lint'], 'warnings'),
  };
}
