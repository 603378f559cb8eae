import type { Diagnostic, TestCase } from '../../schema/generated.ts';
import { createFailureDiagnostic, type FailureOrigin } from './failure-diagnostic.ts';
import type { ReportedTest, TestReport } from './test-report.ts';
import type { TreePaths } from './tree-paths.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** A test case with the diagnostics of its failure. */
export interface TestResult {
  readonly test: TestCase;
  readonly diagnostics: readonly Diagnostic[];
}

/** All results of one test run. */
export interface TestResults {
  readonly results: readonly TestResult[];
  readonly problems: readonly ProblemResult[];
}

/** A failure outside of tests. */
export interface ProblemResult {
  readonly diagnostic: Diagnostic;
  readonly file?: string;
  /** Prefix of the names of the tests that it concerns; empty for all tests. */
  readonly scope: string;
}

const MAX_ERRORS_OF_ONE_TEST = 5;

/** The tests of a runner's report with stable ids, paths relative to the root, and a diagnostic for each failure. */
export function toTestResults(report: TestReport, origin: FailureOrigin): TestResults {
  const seen = new Map<string, number>();
  const results = report.tests.map((reported) => {
    const test = toTestCase(reported, origin.paths, seen);
    return { test, diagnostics: failuresOf(reported, test, origin) };
  });
  const problems = report.problems.flatMap((problem) => {
    const file = fileOf(problem.file, origin.paths);
    const scope = (problem.suite ?? []).map((name) => `${name} > `).join('');
    return problem.errors.map((error) => {
      const diagnostic = createFailureDiagnostic(error, { rule: problem.name, file }, origin);
      return { diagnostic, scope, file };
    });
  });
  return { results, problems };
}

function toTestCase(reported: ReportedTest, paths: TreePaths, seen: Map<string, number>): TestCase {
  const file = fileOf(reported.file, paths);
  const name = reported.path.length === 0 ? FILE_CASE : reported.path.join(' > ');
  const plain = file === undefined ? name : `${file} > ${name}`;
  const count = (seen.get(plain) ?? 0) + 1;
  seen.set(plain, count);
  return {
    id: count === 1 ? plain : `${plain} #${count}`,
    name,
    file,
    status: reported.status,
    duration_ms: reported.durationMs === undefined ? undefined : Math.max(0, reported.durationMs),
  };
}

function fileOf(file: string | undefined, paths: TreePaths): string | undefined {
  return file === undefined ? undefined : paths.relative(file);
}

function failuresOf(reported: ReportedTest, test: TestCase, origin: FailureOrigin): Diagnostic[] {
  if (reported.status !== 'failed') return [];
  return reported.errors
    .slice(0, MAX_ERRORS_OF_ONE_TEST)
    .map((error) =>
      createFailureDiagnostic(
        error,
        { rule: test.name, testId: test.id, file: test.file, line: reported.line, column: reported.column },
        origin,
      ),
    );
}
