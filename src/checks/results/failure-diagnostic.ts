import type { Diagnostic } from '../../schema/generated.ts';
import { createDiagnostic } from './diagnostics.ts';
import { failureType } from './failure-type.ts';
import { parseComparedValues } from '../parsers/compared-values.ts';
import { findLocation, type Location } from '../parsers/location.ts';
import { parseStack } from '../parsers/stack.ts';
import type { ReportedError } from './test-report.ts';
import type { TreePaths } from '../run/tree-paths.ts';

/** Which check saw the failure, and where. */
export interface FailureOrigin {
  readonly check: string;
  readonly paths: TreePaths;
}

/** What failed. */
export interface FailedTest {
  /** Full name of the test or hook. */
  readonly rule: string;
  readonly testId?: string;
  /** Where it is declared, relative to the root; 1-based. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A line to put before the message. */
  readonly headline?: string;
}

/**
 * The diagnostic of an error that a runner reported. The innermost frame in the tree says where it failed; for
 * text that does not parse, the place that the message names; without either, where the test is declared.
 */
export function describeFailure(
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

function comparedValues(error: ReportedError): Pick<ReportedError, 'expected' | 'received'> {
  const isGiven = error.expected !== undefined || error.received !== undefined;
  return isGiven ? error : parseComparedValues(error.message);
}

function withName({ name, message }: ReportedError): string {
  if (name === undefined || name === 'Error' || message.startsWith(name)) return message;
  return `${name}: ${message}`;
}
