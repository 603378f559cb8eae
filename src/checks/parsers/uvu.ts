import { stripVTControlCharacters } from 'node:util';
import type { ReportedError, ReportedTest, TestReport } from '../results/test-report.ts';

const TOTALS = /^ {2}Total: {5}(\d+)\n {2}Passed: {4}(\d+)\n {2}Skipped: {3}\d+$/m;
/** Name of the suite, if it has one, and a mark for each test. */
const SUITE = /^(?: (.+?) {2})?((?:[•✘] )+) +\(\d+ \/ \d+\)$/;
const FILE = /^\S.*\.\w+$/;
const FAILURE = /^ +FAIL +(?:.+? )??"(.*)"$/;
const FRAME = /^\s+at /;

/**
 * Reads the output of uvu (https://github.com/lukeed/uvu). It names the failing tests only, so that a test is named by
 * its number in its suite, and the message of a failure begins with the test's own name. Undefined for any other text,
 * and where the marks do not add up to uvu's own count: then a test has printed between them.
 */
export function parseUvu(output: string): TestReport | undefined {
  const text = stripVTControlCharacters(output);
  const totals = TOTALS.exec(text);
  if (totals === null) return undefined;
  const lines = text.split('\n');
  const tests = lines.flatMap((line, at) => suiteOf(line, lines, at));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const isComplete = tests.length === Number(totals[1]) && passed === Number(totals[2]);
  return isComplete ? { tests, problems: [] } : undefined;
}

function suiteOf(line: string, lines: readonly string[], at: number): ReportedTest[] {
  const [, suite, marks] = SUITE.exec(line) ?? [];
  if (marks === undefined) return [];
  const file = lines.slice(0, at).findLast((it) => FILE.test(it));
  const failures = failuresBelow(lines.slice(at + 1));
  const path = [file, suite].filter((part) => part !== undefined);
  return marks
    .trim()
    .split(' ')
    .map((mark, index) => {
      const failed = mark === '✘';
      const errors = failed ? failures.splice(0, 1) : [];
      return { path: [...path, `test ${index + 1}`], status: failed ? 'failed' : 'passed', errors };
    });
}

/** The failures between a suite and the next one. */
function failuresBelow(lines: readonly string[]): ReportedError[] {
  const end = lines.findIndex((line) => SUITE.test(line) || line.startsWith('  Total:'));
  const own = end === -1 ? lines : lines.slice(0, end);
  const starts = own.flatMap((line, at) => (FAILURE.test(line) ? [at] : []));
  return starts.map((start, index) => toError(own.slice(start, starts[index + 1])));
}

function toError([headline = '', ...rest]: readonly string[]): ReportedError {
  const message = rest.find((line) => line.trim() !== '' && !FRAME.test(line))?.trim() ?? '';
  return {
    message: `"${FAILURE.exec(headline)?.[1] ?? ''}": ${message}`,
    stack: rest.filter((line) => FRAME.test(line)).join('\n'),
    isAssertion: / \([\w.]+\)$/.test(message) || undefined,
  };
}
