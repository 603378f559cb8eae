/**
 * Runs inside jest (27 to 30) as one of its `--reporters` and writes what `--json --outputFile` would, sealed:
 * jest's own report can be written by anything that knows where it goes.
 */
import { sealedWriter } from './seal.ts';

interface AggregatedResult {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly numFailingTests: number;
    readonly testExecError?: unknown;
    readonly failureMessage?: string | null;
    readonly testResults: readonly unknown[];
  }[];
}

class JestReporter {
  readonly #write: (report: unknown) => void;

  constructor({ outputFile }: { readonly outputFile?: string }) {
    this.#write = sealedWriter(outputFile ?? '');
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

// Jest requires its reporters.
export { JestReporter as default, JestReporter as 'module.exports' };
