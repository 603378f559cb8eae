/**
 * The result of a test runner, before paths are resolved: written by our reporters and returned by every parser of test
 * reports. Reporters run inside the tested project's process and import only the types of this file.
 */
export interface TestReport {
  /** In the runner's order. */
  readonly tests: readonly ReportedTest[];
  /** Failures outside of tests: unhandled rejections, failing hooks. */
  readonly problems: readonly ReportedProblem[];
}

/** A test as its runner reports it. */
export interface ReportedTest {
  /** As the runner names it: absolute, a `file:` URL, or relative to the check's folder. */
  readonly file?: string;
  /** Suite names and the test's name, outermost first; empty for the file as a whole. */
  readonly path: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs?: number;
  /** Position of the declaration; 1-based. */
  readonly line?: number;
  readonly column?: number;
  readonly errors: readonly ReportedError[];
}

/** A failure outside of tests. */
export interface ReportedProblem {
  readonly file?: string;
  /** For example `"after all" hook`. */
  readonly name: string;
  /** The suite whose hook failed, outermost name first; absent where the failure may concern any test. */
  readonly suite?: readonly string[];
  readonly errors: readonly ReportedError[];
}

/** An error of a test, as its runner reports it. */
export interface ReportedError {
  /** The error's class, for example `TypeError`. */
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  /** The compared values as source-like text: strings quoted. */
  readonly expected?: string;
  readonly received?: string;
  /** True where an assertion failed, as opposed to an error in the code under test. */
  readonly isAssertion?: boolean;
}
