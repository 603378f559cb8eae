/**
 * What a test runner said, before it is tied to a repository: the one shape that our reporters write and that
 * the parsers of foreign formats give. Reporters run inside the tested project's process and import only the
 * types of this file.
 */
export interface TestReport {
  /** In the runner's order. */
  readonly tests: readonly ReportedTest[];
  /** Failures that belong to no one test: unhandled rejections, failing hooks. */
  readonly problems: readonly ReportedProblem[];
}

export interface ReportedTest {
  /** As the runner names it: absolute, a `file:` URL, or relative to the check's folder. */
  readonly file?: string;
  /** Suite names and the test's name, outermost first; empty for the file as a whole. */
  readonly path: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs?: number;
  /** Where the test is declared; 1-based. */
  readonly line?: number;
  readonly column?: number;
  readonly errors: readonly ReportedError[];
}

export interface ReportedProblem {
  readonly file?: string;
  /** What failed, for example `"after all" hook`. */
  readonly name: string;
  /** The suite whose hook failed, outermost name first; absent where any test may be concerned. */
  readonly suite?: readonly string[];
  readonly errors: readonly ReportedError[];
}

export interface ReportedError {
  /** The error's class, for example `TypeError`. */
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  /** The compared values as source-like text: strings quoted. */
  readonly expected?: string;
  readonly received?: string;
  /** Set where the runner knows that an assertion failed, not the code under test. */
  readonly isAssertion?: boolean;
}
