/**
 * Runs inside vitest (1 to 5) as `--reporter=<this file>` and writes a TestReport to `--outputFile`. Vitest's
 * own JSON reporter omits compared values, unhandled errors and the project's name.
 */
import type { ReportedError, ReportedProblem, ReportedTest, TestReport } from '../results/test-report.ts';
import { describeError } from '../results/describe-error.ts';
import { createFailureNote } from './note-failures.ts';
import { createRunningNote, type RunningTest } from './note-running.ts';
import { createReportWriter } from './sign-report.ts';

interface Task {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly filepath?: string;
  readonly projectName?: string;
  readonly tasks?: readonly Task[];
  /** Absent at the top of a file. */
  readonly suite?: Task;
  readonly file?: Task;
  readonly location?: { readonly line: number; readonly column: number };
  readonly result?: {
    readonly state?: string;
    readonly duration?: number;
    readonly errors?: readonly SerializedError[];
  };
}

/** Values are printed text. Version 1 has `stackStr` in place of `stack`. */
interface SerializedError {
  readonly message?: string;
  readonly stackStr?: string;
  readonly stack?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly name?: unknown;
  /** Places of an error of the type checker, which `stack` does not have. */
  readonly stacks?: readonly { readonly file?: string; readonly line?: number; readonly column?: number }[];
}

interface VitestContext {
  readonly config: { readonly outputFile?: string | Readonly<Record<string, string>> };
}

interface TestModule {
  /** Absolute path of the test file. */
  readonly moduleId: string;
  readonly task: Task;
}

class VitestReporter {
  #store: (report: unknown) => void = () => {};
  #noteRunning: (running: readonly RunningTest[]) => void = () => {};
  #noteFailed: (report: TestReport) => void = () => {};
  readonly #running = new Set<string>();

  onInit(context: VitestContext): void {
    const { outputFile } = context.config;
    const file = typeof outputFile === 'string' ? outputFile : '';
    this.#store = createReportWriter(file);
    this.#noteRunning = createRunningNote(file);
    this.#noteFailed = createFailureNote(file);
  }

  /** Version 3 and later. */
  onTestModuleStart({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#running.add(moduleId);
    this.#noteRunning([...this.#running].map((file) => ({ file })));
  }

  /** Version 3 and later. */
  onTestModuleEnd({ moduleId, task }: TestModule): void {
    this.#running.delete(moduleId);
    this.#noteErrors(task);
  }

  /** Version 3 and later. */
  onTestSuiteResult({ task }: Pick<TestModule, 'task'>): void {
    this.#noteErrors(task);
  }

  /** Version 3 and later, after the last retry. */
  onTestCaseResult({ task }: Pick<TestModule, 'task'>): void {
    this.#noteErrors(task);
  }

  /** Versions 1 to 3. */
  onFinished(files: readonly Task[] = [], errors: readonly unknown[] = []): void {
    this.#write(files, errors);
  }

  /** Version 3 and later. */
  onTestRunEnd(modules: readonly { readonly task: Task }[], errors: readonly unknown[] = []): void {
    this.#write(
      modules.map((module) => module.task),
      errors,
    );
  }

  #noteErrors(task: Task): void {
    const { state, errors = [] } = task.result ?? {};
    if (state !== 'fail' || errors.length === 0) return;
    const file = (task.file ?? task).filepath;
    this.#noteFailed({
      tests: [{ file, path: pathOf(task), status: 'failed', errors: errors.map(toError) }],
      problems: [],
    });
  }

  #write(files: readonly Task[], errors: readonly unknown[]): void {
    const ordered = [...files].sort(
      (a, b) => compare(a.filepath, b.filepath) || compare(a.projectName, b.projectName),
    );
    const report: TestReport = {
      tests: ordered.flatMap(testsOfFile),
      problems: [
        ...ordered.flatMap((file) => (file.tasks ?? []).flatMap((task) => hookProblems(task, file, []))),
        ...errors.map((error) => ({ name: 'unhandled error', errors: [toError(error as SerializedError)] })),
      ],
    };
    this.#store(report);
  }
}

export { VitestReporter as default };

/** Names of the suites and the test, outermost first; empty for a file. */
function pathOf(task: Task): string[] {
  if (task.filepath !== undefined) return [];
  return [...(task.suite === undefined ? [] : pathOf(task.suite)), task.name];
}

function testsOfFile(file: Task): ReportedTest[] {
  const tests = (file.tasks ?? []).flatMap((task) =>
    testsOf(task, file, { path: [], isBroken: isBrokenSuite(file) }),
  );
  const errors = file.result?.errors ?? [];
  if (errors.length === 0) return tests;
  return [{ file: file.filepath, path: [], status: 'failed', errors: errors.map(toError) }, ...tests];
}

interface Above {
  /** Names of the suites, outermost first. */
  readonly path: readonly string[];
  /** A hook of one of them, or of the file, failed. */
  readonly isBroken: boolean;
}

function isBrokenSuite(task: Task): boolean {
  return (task.result?.errors ?? []).length > 0;
}

function testsOf(task: Task, file: Task, above: Above): ReportedTest[] {
  const path = [...above.path, task.name];
  if (task.type === 'suite') {
    const isBroken = above.isBroken || isBrokenSuite(task);
    return (task.tasks ?? []).flatMap((child) => testsOf(child, file, { path, isBroken }));
  }
  return [
    {
      file: file.filepath,
      path,
      status: statusOf(task, above.isBroken),
      durationMs: task.result?.duration,
      line: task.location?.line,
      column: task.location?.column,
      errors: (task.result?.errors ?? []).map(toError),
    },
  ];
}

/**
 * A test that should have run and has no result failed: its worker died. After a failed hook vitest gives the tests
 * the result `skip`; a test that is declared as skipped has none.
 */
function statusOf({ result, mode }: Task, isBroken: boolean): ReportedTest['status'] {
  const state = result?.state;
  if (state === 'pass') return 'passed';
  if (state === 'skip' || state === 'todo') return isBroken ? 'failed' : 'skipped';
  if (state === undefined && mode !== 'run' && mode !== 'only') return 'skipped';
  return 'failed';
}

function hookProblems(task: Task, file: Task, suites: readonly string[]): ReportedProblem[] {
  if (task.type !== 'suite') return [];
  const path = [...suites, task.name];
  const errors = (task.result?.errors ?? []).map(toError);
  const own =
    errors.length === 0 ? [] : [{ file: file.filepath, name: path.join(' > '), suite: path, errors }];
  return [...own, ...(task.tasks ?? []).flatMap((child) => hookProblems(child, file, path))];
}

/** Up to version 2 every error has both values; `undefined` as text means that nothing was compared. */
function toError(error: SerializedError): ReportedError {
  const { expected, actual, ...rest } = error;
  // Errors of the type checker are Error objects, whose message is not enumerable.
  const stack = placeOfTypeError(error) ?? (error.stack || error.stackStr);
  const described = describeError({ ...rest, name: error.name, message: error.message, stack });
  const isAbsent = (value: unknown): boolean => value === undefined || value === 'undefined';
  // `toThrow` compares no values, but gives null and undefined where nothing was thrown.
  const isThrow = /\bto throw\b/.test(error.message ?? '') && (expected === null || expected === 'null');
  const comparesNothing = isAbsent(actual) && (isAbsent(expected) || isThrow);
  if (comparesNothing) return described;
  return {
    ...described,
    expected: quoteString(expected, error.message),
    received: quoteString(actual, error.message),
    isAssertion: true,
  };
}

/** A stack with the place that the type checker reports; undefined for another error. */
function placeOfTypeError({ name, message = '', stacks }: SerializedError): string | undefined {
  if (name !== 'TypeCheckError' || !Array.isArray(stacks) || stacks[0]?.file === undefined) return undefined;
  const { file, line = 1, column = 1 } = stacks[0];
  return `${name}: ${message}\n    at ${file}:${line}:${column}`;
}

/**
 * Vitest passes strings without quotes and prints every other value: only the message distinguishes `'5'` from `5`. A
 * string that was compared with a value of another type has its quotes already.
 */
function quoteString(value: unknown, message = ''): string {
  const text = String(value);
  const inner = /^"([\s\S]*)"$/.exec(text)?.[1];
  if (inner !== undefined && message.includes(`'${inner.slice(0, 20)}`)) return text;
  const looksPrinted =
    /^(-?[\d.]+(e[+-]?\d+)?n?|true|false|null|undefined|NaN|-?Infinity|\w* ?[[{(][\s\S]*)$/.test(text);
  return !looksPrinted || message.includes(`'${text.slice(0, 20)}`) ? JSON.stringify(text) : text;
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
