import type { CheckReport, EvaluationRequest } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { TestCase } from '../../schema/generated.ts';

/**
 * The reports of the checks from an evaluation of the same tree in which one of them failed: nothing was changed, so running
 * them again could only show chance. Undefined where they have to run. `ownedBy` returns the tests of one check.
 */
export function reportsBefore(
  plans: readonly CheckPlan[],
  { confirm, isSameTree = false, previous }: EvaluationRequest,
  ownedBy: (name: string, tests: readonly TestCase[]) => TestCase[],
): CheckReport[] | undefined {
  if (!isSameTree || confirm || previous === undefined || (previous.tampering ?? []).length > 0)
    return undefined;
  const before = plans.map(({ name }) => previous.checks.find((check) => check.name === name));
  const isComplete = before.every((check) => check !== undefined && check.status !== 'error');
  if (!isComplete || !before.some((check) => check?.status === 'fail')) return undefined;
  return before.map((check) => {
    const { weight: _weight, score: _score, ...report } = check!;
    const tests = ownedBy(report.name, previous.tests);
    return {
      ...report,
      duration_ms: 0,
      reused: tests.length,
      detail: `${report.detail.replace(UNCHANGED, '')}${UNCHANGED}`,
      diagnostics: previous.diagnostics.filter((it) => it.check === report.name),
      tests,
    };
  });
}

const UNCHANGED = ' It did not run again, since no file was changed.';
