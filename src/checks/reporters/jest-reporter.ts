/**
 * Runs inside jest (27 to 30) as one of its `--reporters` and writes the same as `--json --outputFile`, but signed:
 * tested code that knows the path could replace jest's own report.
 */
import { createFailureNote } from './note-failures.ts';
import { createRunningNote, type RunningTest } from './note-running.ts';
import { createReportWriter } from './sign-report.ts';

interface AggregatedResult {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly testFilePath: string;
  readonly numFailingTests: number;
  readonly testExecError?: unknown;
  readonly failureMessage?: string | null;
  readonly testResults: readonly unknown[];
}

interface CaseResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface TestFile {
  /** Absolute. */
  readonly path: string;
}

class JestReporter {
  readonly #write: (report: unknown) => void;
  readonly #noteRunning: (running: readonly RunningTest[]) => void;
  readonly #noteFailed: (report: unknown) => void;
  readonly #running = new Set<string>();

  constructor({ outputFile }: { readonly outputFile?: string }) {
    this.#write = createReportWriter(outputFile ?? '');
    this.#noteRunning = createRunningNote(outputFile ?? '');
    this.#noteFailed = createFailureNote(outputFile ?? '');
  }

  onTestFileStart({ path }: TestFile): void {
    this.#running.add(path);
    this.#noteRunning([...this.#running].map((file) => ({ file })));
  }

  /** A test that jest tries again may pass then. */
  onTestCaseResult({ path }: TestFile, result: CaseResult): void {
    if (result.status !== 'failed') return;
    const { ancestorTitles, title, status, failureMessages } = result;
    const assertionResults = [{ ancestorTitles, title, status, failureMessages }];
    this.#noteFailed({ testResults: [{ name: path, status, message: '', assertionResults }] });
  }

  onTestFileResult({ path }: TestFile, file: FileResult): void {
    this.#running.delete(path);
    if (file.testResults.length === 0 && file.testExecError !== undefined)
      this.#noteFailed({ testResults: [toFile(file)] });
  }

  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    this.#write({ testResults: testResults.map(toFile) });
  }
}

/** A file in the form of `jest --json`. */
function toFile(file: FileResult): object {
  return {
    name: file.testFilePath,
    status: file.testExecError !== undefined || file.numFailingTests > 0 ? 'failed' : 'passed',
    message: file.failureMessage ?? '',
    assertionResults: file.testResults,
  };
}

// Jest loads reporters by `require`.
export { JestReporter as default, JestReporter as 'module.exports' };
