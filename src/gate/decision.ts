import { newFailures } from '../checks/score/regressions.ts';
import { describeFailures } from '../loop/describe-end.ts';
import type { CheckResult, Criterion, Diagnostic, Evaluation, Tampering } from '../schema/generated.ts';
import { describeTampering } from './tampering-text.ts';

/** Everything that a decision depends on. */
export interface Judged {
  readonly baseline: Evaluation;
  /** Evaluation of the tree with protected files restored, compared with the baseline. */
  readonly evaluation: Evaluation;
  /** Tampering in the agent's tree, before protected files were restored. */
  readonly tampering: readonly Tampering[];
  /** The user's criteria, decided on this tree. */
  readonly criteria: readonly Criterion[];
  /** Ids of tests that fail now at an assertion which they passed at the start, although they failed there, too. */
  readonly earlier: readonly string[];
  /** Whether checks that were red at the start must be green as well. */
  readonly isAllGreen: boolean;
}

/** Whether an agent may stop, and the reasons against it. */
export interface Decision {
  readonly passed: boolean;
  /** Sentences on forbidden changes. */
  readonly forbidden: readonly string[];
  /** Ids of tests that ran at the start and do not run now. */
  readonly missing: readonly string[];
  /** Failures that count against the tree, new ones first. */
  readonly failures: readonly Diagnostic[];
  /** Texts of criteria that are not met. */
  readonly unmet: readonly string[];
  /** Sentences on anything else, for example a check that could not run. */
  readonly others: readonly string[];
  /** Checks that are red and were red at the start, each with its count: no reason to block. */
  readonly stillRed: readonly string[];
}

/**
 * Decides whether an agent may stop. Failures of the start do not block, unless all must be green. Forbidden changes, tests
 * that no longer run, new failures and unmet criteria do.
 */
export function decide(judged: Judged): Decision {
  const { evaluation, tampering, criteria } = judged;
  const known = new Set(tampering.map(({ detail }) => detail));
  const all = [...tampering, ...(evaluation.tampering ?? []).filter(({ detail }) => !known.has(detail))];
  const forbidden = [...new Set(all.map(describeTampering))];
  const missing = evaluation.missing_tests;
  const unmet = criteria.filter(({ green_after: isGreen }) => !isGreen).map(({ text }) => text);
  const failures = failuresThatCount(judged);
  const isRed =
    !evaluation.passed ||
    judged.earlier.length > 0 ||
    (judged.isAllGreen && evaluation.checks.some(isFailed));
  const isExplained = forbidden.length + missing.length + failures.length + unmet.length > 0;
  return {
    passed: !isRed && forbidden.length === 0 && unmet.length === 0,
    forbidden,
    missing,
    failures,
    unmet,
    others: isRed && !isExplained ? [describeFailures(evaluation) || 'The checks do not pass.'] : [],
    stillRed: evaluation.checks
      .filter(isFailed)
      .map(({ name, detail }) => `${name} (${detail.replace(/\.$/, '')})`),
  };
}

function failuresThatCount({ baseline, evaluation, criteria, isAllGreen, earlier }: Judged): Diagnostic[] {
  const errors = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  const fresh = new Set([...newFailures(evaluation.tests, baseline.tests).map(({ id }) => id), ...earlier]);
  const before = new Set(baseline.diagnostics.map(({ fingerprint }) => fingerprint));
  const isNew = ({ test_id: id, fingerprint }: Diagnostic): boolean =>
    id === undefined ? !before.has(fingerprint) : fresh.has(id);
  const asked = criteriaFiles(criteria);
  const isAsked = ({ check, file }: Diagnostic): boolean =>
    isAllGreen || (file !== undefined && asked.has(file)) || check.startsWith('accept');
  return [...errors.filter(isNew), ...errors.filter((it) => !isNew(it) && isAsked(it))];
}

/** Test files of the criteria that are not met. */
function criteriaFiles(criteria: readonly Criterion[]): ReadonlySet<string> {
  return new Set(criteria.filter(({ green_after: isGreen }) => !isGreen).flatMap(({ tests }) => tests));
}

function isFailed({ status }: CheckResult): boolean {
  return status === 'fail' || status === 'error';
}
