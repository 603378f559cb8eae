import type { TestCase } from '../../schema/generated.ts';
import { couldNotRun, endOf, outputTail, type Finding } from '../run/check-report.ts';
import type { CheckRun } from '../run/check-run.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import { missingTests, narrowResults } from './narrowing.ts';
import type { TestResults } from '../results/test-results.ts';

/** How the program ended that gave the results. */
export type Ended = Pick<Finding, 'command' | 'outcome'>;

/**
 * Finds for the results of a test run: a pass needs a report without failures and exit code 0. What was not
 * asked for is dropped only after both were held against each other.
 */
export function judgeTests(run: CheckRun, whole: TestResults, ended: Ended): Finding {
  const narrowed = narrowResults(whole, run.request);
  const tests = narrowed.results.map(({ test }) => test);
  const problems = narrowed.problems.map(({ diagnostic }) => diagnostic);
  const diagnostics = [...narrowed.results.flatMap((result) => result.diagnostics), ...problems];
  const finding = { ...ended, tests, diagnostics };
  const failure = describeFailures(tests, problems.length);
  const objection = objectionTo(run, whole, finding);
  if (failure !== undefined) {
    return { ...finding, status: 'fail', detail: [failure, objection].filter(Boolean).join(' ') };
  }
  if (objection !== undefined) return refuse(run, finding, objection);
  if (tests.length === 0) return couldNotRun(run, ended.command, ended.outcome, 'no test was found');
  if (count(tests) === 0) return { ...finding, status: 'skip', detail: 'Every test is skipped.' };
  return { ...finding, status: 'pass', detail: `All ${count(tests)} tests passed.` };
}

function describeFailures(tests: readonly TestCase[], problemCount: number): string | undefined {
  const failed = tests.filter(({ status }) => status === 'failed').length;
  if (failed === 0 && problemCount === 0) return undefined;
  const outside = problemCount === 0 ? '' : ` and ${problemCount} failures outside of tests`;
  return `${failed} of ${count(tests)} tests failed${outside}.`;
}

function count(tests: readonly TestCase[]): number {
  return tests.filter(({ status }) => status !== 'skipped').length;
}

/** Why a report without failures is no pass. */
function objectionTo(
  { plan, request }: CheckRun,
  whole: TestResults,
  { outcome, tests }: Ended & { readonly tests: readonly TestCase[] },
): string | undefined {
  const anyFailed = whole.problems.length > 0 || whole.results.some(({ test }) => test.status === 'failed');
  if (outcome.exitCode === 0 && anyFailed)
    return `${plan.tool} reported failures and yet ended with exit code 0.`;
  if (outcome.exitCode !== 0 && !anyFailed && whole.results.length > 0) {
    return `${plan.tool} reported no failure and yet ended with ${endOf(outcome)}.`;
  }
  const missing = missingTests(tests, request);
  return missing.length === 0 ? undefined : `${missing.length} of the tests asked for did not run.`;
}

function refuse(run: CheckRun, finding: Omit<Finding, 'status' | 'detail'>, detail: string): Finding {
  const message = [detail, outputTail(finding.outcome)].filter(Boolean).join('\n');
  const objection = createDiagnostic({ type: 'other', check: run.plan.name, message }, run.paths);
  return { ...finding, status: 'fail', detail, diagnostics: [...(finding.diagnostics ?? []), objection] };
}
