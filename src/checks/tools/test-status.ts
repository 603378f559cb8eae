import type { TestCase } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import type { TestResults } from '../results/test-results.ts';
import { couldNotRun, describeEnd, outputTail, printed, type Finding } from '../run/check-report.ts';
import type { CheckRun } from '../run/check-run.ts';
import { measuresCoverage, missingTests, selectResults } from './test-selection.ts';

/** The command that gave the results, and how it ended. */
export type Ended = Pick<Finding, 'command' | 'outcome'>;

/**
 * The finding of a test run. It passes with a report without failures and exit code 0. The exit code is compared
 * with the whole report, before the results that were not asked for are dropped.
 */
export function toTestFinding(run: CheckRun, whole: TestResults, ended: Ended): Finding {
  const selected = selectResults(whole, run.request);
  const tests = selected.results.map(({ test }) => test);
  const problems = selected.problems.map(({ diagnostic }) => diagnostic);
  const diagnostics = [...selected.results.flatMap((result) => result.diagnostics), ...problems];
  const finding = { ...ended, tests, diagnostics };
  const failure = describeFailures(tests, problems.length);
  const contradiction = findContradiction(run, whole, finding);
  if (failure !== undefined) {
    return { ...finding, status: 'fail', detail: [failure, contradiction].filter(Boolean).join(' ') };
  }
  if (contradiction !== undefined) return contradicted(run, finding, contradiction);
  if (tests.length === 0) return couldNotRun(run, ended.command, ended.outcome, 'no test was found');
  const counted = countRun(tests);
  if (counted === 0) return { ...finding, status: 'skip', detail: 'Every test is skipped.' };
  return {
    ...finding,
    status: 'pass',
    detail: counted === 1 ? '1 test passed.' : `All ${counted} tests passed.`,
  };
}

function describeFailures(tests: readonly TestCase[], problemCount: number): string | undefined {
  const failed = tests.filter(({ status }) => status === 'failed').length;
  if (failed === 0 && problemCount === 0) return undefined;
  const outside = problemCount === 0 ? '' : ` and ${plural(problemCount, 'failure')} outside of tests`;
  return `${failed} of ${plural(countRun(tests), 'test')} failed${outside}.`;
}

function countRun(tests: readonly TestCase[]): number {
  return tests.filter(({ status }) => status !== 'skipped').length;
}

/** The line by which c8, nyc, Vitest, Jest, tap and Node say that the coverage is too low. */
const LIMIT =
  /(?<=^[^\w\n]*)(Error: )?(Coverage for .*does not meet|.*coverage threshold.*not met|.*coverage does not meet threshold).*/im;

/** Why the report cannot be accepted as it is: the exit code says otherwise, or tests that were asked for are missing. */
function findContradiction(
  { plan, request }: CheckRun,
  whole: TestResults,
  { outcome, tests }: Ended & { readonly tests: readonly TestCase[] },
): string | undefined {
  const anyFailed = whole.problems.length > 0 || whole.results.some(({ test }) => test.status === 'failed');
  if (outcome.exitCode === 0 && anyFailed)
    return `${plan.tool} reported failures, but ended with exit code 0.`;
  if (outcome.exitCode !== 0 && !anyFailed && whole.results.length > 0) {
    const end = `${plan.tool} reported no failure, but ended with ${describeEnd(outcome)}`;
    if (plan.coverage === undefined || !measuresCoverage(request)) return `${end}.`;
    const limit = LIMIT.exec(printed(outcome))?.[0].trim();
    return limit === undefined
      ? `${end}: the coverage may be below the limit of the script.`
      : `${end}: ${limit}.`;
  }
  const missing = missingTests(tests, request).length;
  return missing === 0 ? undefined : `${plural(missing, 'requested test')} did not run.`;
}

function contradicted(run: CheckRun, finding: Omit<Finding, 'status' | 'detail'>, detail: string): Finding {
  const message = [detail, outputTail(finding.outcome)].filter(Boolean).join('\n');
  const diagnostic = createDiagnostic({ type: 'other', check: run.plan.name, message }, run.paths);
  return { ...finding, status: 'fail', detail, diagnostics: [...(finding.diagnostics ?? []), diagnostic] };
}
