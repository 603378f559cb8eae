import { stripVTControlCharacters } from 'node:util';
import { Parser, type Result } from 'tap-parser';
import type { ReportedError, ReportedProblem, ReportedTest, TestReport } from '../results/test-report.ts';
import { describeValue } from '../results/describe-error.ts';

/** The YAML block of a failed test point, with the names of node-tap, tape and others. */
interface TapDetails {
  readonly message?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly stack?: unknown;
  readonly at?: unknown;
  readonly operator?: unknown;
  readonly expected?: unknown;
  readonly wanted?: unknown;
  readonly actual?: unknown;
  readonly found?: unknown;
  readonly duration_ms?: unknown;
  /** How node-tap came by an error that is no assertion; `type` is its class. */
  readonly tapCaught?: unknown;
  readonly type?: unknown;
}

/**
 * Reads TAP 13 and 14 (https://testanything.org) with subtests; undefined for a text without a test point, and for one
 * with neither a version nor a plan. A wrong or missing plan, a bail-out and malformed lines are problems.
 */
export function parseTap(text: string): TestReport | undefined {
  if (!/^\s*(not )?ok\b/m.test(text) || !/^\s*(1\.\.\d+|TAP version 1[34]\s*$)/m.test(text)) return undefined;
  const tests: ReportedTest[] = [];
  const problems: ReportedProblem[] = [];
  const parser = new Parser();
  collect(parser, [], tests);
  parser.on('bailout', (reason: string) => problems.push(problem(`Bail out! ${reason}`)));
  parser.on('complete', (results: { failures: readonly { tapError?: string | null }[] }) => {
    for (const { tapError } of results.failures) if (tapError) problems.push(problem(tapError));
  });
  parser.end(text);
  return { tests, problems };
}

/** A line that only TAP has: its version, a plan, or a numbered test point. */
const START = /^(?:TAP version 1[34]|1\.\.\d+(?:\s+#.*)?|(?:not )?ok \d+\b.*)$/;
const VERSION = /^TAP version 1[34]$/;

/**
 * Reads the TAP in the output of a program, wherever it begins: a script prints its own lines in front, and may run
 * several programs, each of which prints its version, points and plan. Undefined where no part of the output is TAP.
 */
export function parseTapStream(text: string): TestReport | undefined {
  const lines = stripVTControlCharacters(text).split(/\r?\n/);
  const first = lines.findIndex((line) => START.test(line));
  if (first === -1) return undefined;
  const starts = lines.flatMap((line, at) => (at > first && VERSION.test(line) ? [at] : []));
  const parts = [first, ...starts].map((start, index) => lines.slice(start, starts[index]).join('\n'));
  const reports = parts.flatMap((part) => parseTap(part) ?? []);
  if (reports.length === 0) return undefined;
  return {
    tests: reports.flatMap(({ tests }) => tests),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

function problem(message: string): ReportedProblem {
  return { name: 'tap', errors: [{ message }] };
}

/** A comment by which tape begins a test; the others hold totals, times and names of subtests. */
const TEST_NAME = /^# (?!Subtest\b|time=|tests? +\d|pass +\d|fail +\d|ok$|failed |skip: |todo: )(\S.*)$/;

function collect(parser: Parser, path: readonly string[], tests: ReportedTest[]): void {
  let name: readonly string[] = [];
  parser.on('comment', (comment: string) => {
    const begun = TEST_NAME.exec(comment.trimEnd())?.[1];
    if (begun !== undefined && path.length === 0) name = [begun];
  });
  parser.on('child', (child: Parser) => collect(child, [...path, child.name], tests));
  parser.on('assert', (result: Result) => {
    // The point that closes a subtest only summarises its points.
    if (!result.closingTestPoint || result.plan?.start === 0) tests.push(toTest(result, [...path, ...name]));
  });
}

function toTest(result: Result, path: readonly string[]): ReportedTest {
  const details = (result.diag ?? {}) as TapDetails;
  const durationMs = Number(result.time ?? details.duration_ms ?? Number.NaN);
  const status = result.skip || result.todo ? 'skipped' : result.ok ? 'passed' : 'failed';
  return {
    path: [...path, result.name.replace(/^- /, '') || `test ${result.id}`],
    status,
    durationMs: Number.isFinite(durationMs) ? durationMs : undefined,
    errors: status === 'failed' ? [toError(details, result.name)] : [],
  };
}

function toError(details: TapDetails, name: string): ReportedError {
  if (typeof details.tapCaught === 'string')
    return {
      name: firstText(details.type) ?? 'Error',
      message: name.replace(/^- /, ''),
      stack: firstText(details.stack) ?? placeOf(details.at),
    };
  const expected = details.expected ?? details.wanted;
  const received = details.actual ?? details.found;
  return {
    name: typeof details.name === 'string' ? details.name : undefined,
    message: firstText(details.message, details.error) ?? `not ok: ${name}`,
    stack: firstText(details.stack) ?? placeOf(details.at),
    expected: expected === undefined ? undefined : describeValue(expected),
    received: received === undefined ? undefined : describeValue(received),
    isAssertion: details.operator !== undefined || expected !== undefined || undefined,
  };
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** The position of a failure: `at` is a line of a stack, or a map. */
function placeOf(at: unknown): string | undefined {
  if (typeof at === 'string') return at.startsWith('at ') ? at : `at ${at}`;
  const { fileName, lineNumber, columnNumber } = (at ?? {}) as Record<string, unknown>;
  if (typeof fileName !== 'string') return undefined;
  return `at ${fileName}:${Number(lineNumber) || 1}:${Number(columnNumber) || 1}`;
}
