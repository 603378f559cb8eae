import type { Diagnostic } from '../../schema/generated.ts';
import { createDiagnostic } from './diagnostics.ts';
import { failureType } from './failure-type.ts';
import { parseComparedValues } from './compared-values.ts';
import { findLocation, type Location } from './location.ts';
import { parseStack } from './stack.ts';
import type { ReportedError } from './test-report.ts';
import type { TreePaths } from './tree-paths.ts';

/** The check that reported a failure, and the tree that it ran in. */
export interface FailureOrigin {
  readonly check: string;
  readonly paths: TreePaths;
}

/** The test or hook that failed. */
export interface FailedTest {
  /** Full name of the test or hook. */
  readonly rule: string;
  readonly testId?: string;
  /** File of its declaration, relative to the root; line and column are 1-based. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A line in front of the message. */
  readonly headline?: string;
}

/**
 * The diagnostic of an error that a runner reported. Its position is the innermost frame in the tree; for a syntax
 * error, the position in the message; without either, the declaration of the test.
 */
export function createFailureDiagnostic(
  error: ReportedError,
  test: FailedTest,
  { check, paths }: FailureOrigin,
): Diagnostic {
  const type = failureType(error);
  const frames = parseStack(error.stack ?? '', paths);
  const place =
    (type === 'syntax_error' ? locate(error, paths) : undefined) ?? frames[0] ?? locate(error, paths) ?? test;
  const values = type === 'test_failure' ? comparedValues(error) : {};
  return createDiagnostic(
    {
      type,
      check,
      message: [test.headline, withName(error)].filter(Boolean).join('\n'),
      file: place.file,
      line: place.line,
      column: place.column,
      rule: test.rule,
      testId: test.testId,
      expected: values.expected,
      received: values.received,
      stack: error.stack === '' ? undefined : error.stack,
      frames,
    },
    paths,
  );
}

function locate(error: ReportedError, paths: TreePaths): Location | undefined {
  return findLocation(error.message, paths) ?? findLocation(error.stack ?? '', paths);
}

/** None where both look alike, as in an assertion that two values differ: "expected 1 but received 1" says nothing. */
function comparedValues(error: ReportedError): Pick<ReportedError, 'expected' | 'received'> {
  const isGiven = error.expected !== undefined || error.received !== undefined;
  const values = isGiven ? error : parseComparedValues(error.message);
  return values.expected === values.received ? {} : values;
}

function withName({ name, message }: ReportedError): string {
  if (name === undefined || name === 'Error' || message.startsWith(name)) return message;
  return `${name}: ${message}`;
}
