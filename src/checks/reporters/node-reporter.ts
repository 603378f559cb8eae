/**
 * Runs inside `node --test` as `--test-reporter=<this file>` and yields one TestReport to the destination.
 * Events: https://nodejs.org/api/test.html#class-testsstream
 */
import { resolve } from 'node:path';
import type { ReportedError, ReportedProblem, ReportedTest, TestReport } from '../results/test-report.ts';
import { parsePrintedError } from '../results/printed-error.ts';
import { describeError } from '../results/describe-error.ts';
import { isWholeFile, UnfinishedTests } from './node-unfinished.ts';
import { createFailureNote } from './note-failures.ts';
import { createRunningNote } from './note-running.ts';
import { createSigner } from './sign-report.ts';

/** An event of `node:test`. */
export interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly type?: string;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly message?: string;
    readonly details?: { readonly type?: string; readonly duration_ms?: number; readonly error?: TestError };
  };
}

/** node:test wraps a thrown value in its own error. */
interface TestError {
  readonly failureType?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

const MAX_STDERR = 8_000;

/** Failures that only repeat the failure of another test or hook. */
const SECONDARY = new Set(['subtestsFailed', 'cancelledByParent', 'parentAlreadyFinished']);

type EventData = TestEvent['data'];

const PREFIX = '--test-reporter-destination=';
const reportFile = process.execArgv.find((word) => word.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
const sign = createSigner(reportFile);
const noteRunning = createRunningNote(reportFile);
const noteFailed = createFailureNote(reportFile);

async function* nodeReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: ReportedTest[] = [];
  const problems: ReportedProblem[] = [];
  const stderr = new Map<string, string>();
  const names: string[] = [];
  const unfinished = new UnfinishedTests();
  const running = new Set<string>();
  const add = (test: ReportedTest): void => {
    tests.push(test);
    // A test that only repeats the failure of another one has no error.
    if (test.errors.length > 0) noteFailed({ tests: [test], problems: [] });
  };
  for await (const event of source) {
    const { type, data } = event;
    if (type === 'test:stderr') appendTo(stderr, data);
    // Starts are reported in the order of definition: the suites of a test start before it.
    if (type === 'test:start') names[data.nesting] = data.name;
    const path = [...names.slice(0, data.nesting), data.name];
    unfinished.note(event, path);
    if (type === 'test:dequeue' && data.file !== undefined && isWholeFile(data)) {
      running.add(data.file);
      noteRunning([...running].map((file) => ({ file })));
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') problems.push(...suiteProblems(data, path));
    else if (isWholeFile(data)) {
      running.delete(data.file ?? '');
      add(toFile(type, data, stderr, unfinished));
    } else add(toTest(type, data, path));
  }
  const report: TestReport = {
    tests: [...tests, ...unfinished.tests],
    problems: [...problems, ...unfinished.suites],
  };
  yield sign(JSON.stringify(report));
}

export { nodeReporter as default };

function appendTo(stderr: Map<string, string>, { file, message = '' }: EventData): void {
  if (file === undefined) return;
  const key = resolve(file);
  stderr.set(key, ((stderr.get(key) ?? '') + message).slice(-MAX_STDERR));
}

function toTest(type: string, data: EventData, path: readonly string[], printed?: string): ReportedTest {
  const isSkipped = isMarked(data.skip) || isMarked(data.todo);
  const status = isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
  return {
    file: data.file,
    path,
    status,
    durationMs: data.details?.duration_ms,
    line: data.line,
    column: data.column,
    errors: status === 'failed' ? errorsOf(data, printed) : [],
  };
}

function toFile(
  type: string,
  data: EventData,
  stderr: ReadonlyMap<string, string>,
  unfinished: UnfinishedTests,
): ReportedTest {
  const test = toTest(type, data, [], stderr.get(resolve(data.file!)));
  const exit = unfinished.exitOf(data.file);
  return test.status === 'passed' && exit !== undefined
    ? { ...test, status: 'failed', errors: [exit] }
    : test;
}

function isMarked(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

/** `printed`: standard error of the process, where a whole file failed. */
function errorsOf(data: EventData, printed: string | undefined): ReportedError[] {
  const error = data.details?.error;
  if (error === undefined || SECONDARY.has(error.failureType ?? '')) return [];
  return [printed === undefined ? describeCause(error) : parsePrintedError(printed)];
}

function describeCause(error: TestError): ReportedError {
  const cause = describeError(error.cause ?? error);
  const isTimeout = error.failureType === 'testTimeoutFailure';
  return isTimeout ? { ...cause, message: error.message ?? cause.message } : cause;
}

function suiteProblems(data: EventData, path: readonly string[]): ReportedProblem[] {
  const error = data.details?.error;
  if (error === undefined || SECONDARY.has(error.failureType ?? '')) return [];
  return [{ file: data.file, name: path.join(' > '), suite: path, errors: [describeCause(error)] }];
}
