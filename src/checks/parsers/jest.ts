import { stripVTControlCharacters } from 'node:util';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { describeError } from '../results/describe-error.ts';
import type { ReportedError, ReportedTest, TestReport } from '../results/test-report.ts';
import { parseComparedValues } from '../results/compared-values.ts';

interface JestReport {
  readonly testResults: readonly JestFile[];
}

interface JestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly JestTest[];
}

interface JestTest {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly duration?: number | null;
  readonly location?: { readonly line: number; readonly column: number } | null;
  readonly failureMessages?: readonly string[] | null;
  readonly failureDetails?: readonly unknown[] | null;
}

/**
 * Reads our reporter's text, which has the form of `jest --json` (https://jestjs.io/docs/cli#--json). A file that could not
 * be run, or whose hooks failed, is one failed test. Throws for any other text.
 */
export function parseJestReport(text: string): TestReport {
  const { testResults } = parseBoundedJson(text) as JestReport;
  const files = [...testResults].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tests: files.flatMap(testsOfFile), problems: [] };
}

function testsOfFile(file: JestFile): ReportedTest[] {
  const tests = file.assertionResults.map((test) => toTest(test, file.name));
  if (file.status !== 'failed' || tests.some((test) => test.status === 'failed')) return tests;
  return [{ file: file.name, path: [], status: 'failed', errors: [fileError(file.message)] }, ...tests];
}

function toTest(test: JestTest, file: string): ReportedTest {
  const details = test.failureDetails ?? [];
  return {
    file,
    path: [...test.ancestorTitles, test.title],
    status: statusOf(test.status),
    durationMs: test.duration ?? undefined,
    line: test.location?.line,
    column: test.location?.column,
    errors: (test.failureMessages ?? []).map((message, index) => toError(message, details[index])),
  };
}

function statusOf(status: string): ReportedTest['status'] {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

interface MatcherDetail {
  readonly matcherResult?: { readonly expected?: unknown; readonly actual?: unknown };
}

/** Values from the message take precedence: JSON has no NaN and no undefined. */
function toError(failure: string, detail: unknown): ReportedError {
  const { headline, stack } = splitStack(stripVTControlCharacters(failure));
  const named = /^(\w*(?:Error|Exception)): ([\s\S]*)$/.exec(headline);
  const message = named?.[2] ?? headline;
  const matcher = (detail as MatcherDetail | null)?.matcherResult;
  const shown = parseComparedValues(message);
  const stored = matcher === undefined || !('expected' in matcher) ? {} : valuesOf(matcher);
  return {
    name: named?.[1],
    message,
    stack,
    ...stored,
    ...shown,
    isAssertion: matcher !== undefined || /^expect\b/.test(message) || undefined,
  };
}

function valuesOf(matcher: NonNullable<MatcherDetail['matcherResult']>): Partial<ReportedError> {
  const { expected, received } = describeError({ expected: matcher.expected, actual: matcher.actual });
  return { expected, received };
}

/** Splits a text before its first stack frame. */
function splitStack(text: string): { headline: string; stack: string } {
  const start = text.search(/^\s+at .+$/m);
  return start === -1
    ? { headline: text.trim(), stack: '' }
    : { headline: text.slice(0, start).trim(), stack: text };
}

/** Jest prints general advice in front of the details of a file that it cannot parse. */
function fileError(text: string): ReportedError {
  const plain = stripVTControlCharacters(text).replace(/^\s*● .*$/m, '');
  const details = plain.slice(plain.search(/^\s*Details:$/m) + 1).replace(/^\s*Details:$/m, '');
  const { headline, stack } = splitStack(details);
  return { message: headline === '' ? 'The test file failed.' : headline, stack };
}
