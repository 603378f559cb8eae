/**
 * Runs inside jest (27 to 30) as one of its `--reporters` and writes the same as `--json --outputFile`, but signed:
 * tested code that knows the path could replace jest's own report.
 */
import { createRunningNote, type RunningTest } from './note-running.ts';
import { createReportWriter } from './sign-report.ts';

interface AggregatedResult {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly numFailingTests: number;
    readonly testExecError?: unknown;
    readonly failureMessage?: string | null;
    readonly testResults: readonly unknown[];
  }[];
}

interface TestFile {
  /** Absolute. */
  readonly path: string;
}

class JestReporter {
  readonly #write: (report: unknown) => void;
  readonly #noteRunning: (running: readonly RunningTest[]) => void;
  readonly #running = new Set<string>();

  constructor({ outputFile }: { readonly outputFile?: string }) {
    this.#write = createReportWriter(outputFile ?? '');
    this.#noteRunning = createRunningNote(outputFile ?? '');
  }

  onTestFileStart({ path }: TestFile): void {
    this.#running.add(path);
    this.#noteRunning([...this.#running].map((file) => ({ file })));
  }

  onTestFileResult({ path }: TestFile): void {
    this.#running.delete(path);
  }

  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    const files = testResults.map((file) => ({
      name: file.testFilePath,
      status: file.testExecError !== undefined || file.numFailingTests > 0 ? 'failed' : 'passed',
      message: file.failureMessage ?? '',
      assertionResults: file.testResults,
    }));
    this.#write({ testResults: files });
  }
}

// Jest loads reporters by `require`.
export { JestReporter as default, JestReporter as 'module.exports' };
