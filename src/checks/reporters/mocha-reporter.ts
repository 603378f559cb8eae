/**
 * Runs inside mocha as `--reporter <this file> --reporter-option ralphReport=<path>` and writes a TestReport at
 * the end. Mocha's own JSON reporter joins suite names by spaces and stores compared values as JSON only.
 */
import { reportFileIn } from './mocha-report-file.ts';
import type { ReportedProblem, ReportedTest } from '../results/test-report.ts';
import { describeError } from '../results/describe-error.ts';
import { createFailureNote } from './note-failures.ts';
import { createRunningNote } from './note-running.ts';
import { createReportWriter } from './sign-report.ts';

interface Runnable {
  readonly type?: string;
  readonly title: string;
  readonly file?: string;
  readonly duration?: number;
  readonly parent?: Suite;
  /** Absent before version 4. */
  titlePath?(): string[];
}

interface Suite {
  readonly title: string;
  readonly file?: string;
  /** Absent for the outermost suite, which has no title. */
  readonly parent?: Suite;
  eachTest(visit: (test: Runnable & { isPending(): boolean }) => void): void;
}

interface Runner {
  on(event: string, listener: (runnable: Runnable, error?: unknown) => void): void;
}

// Mocha creates the reporter after it has loaded the tests, so the key is read when this module loads.
const reportFile = reportFileIn(process.argv);
const write = createReportWriter(reportFile);
const noteRunning = createRunningNote(reportFile);
const noteFailed = createFailureNote(reportFile);

class MochaReporter {
  readonly #tests = new Map<Runnable, ReportedTest>();
  readonly #problems: ReportedProblem[] = [];
  readonly #hooks: Runnable[] = [];

  constructor(runner: Runner) {
    runner.on('test', (test) => noteRunning([{ file: test.file, name: titlePath(test).join(' > ') }]));
    runner.on('pass', (test) => this.#record(test, 'passed'));
    runner.on('pending', (test) => this.#record(test, 'skipped'));
    runner.on('fail', (runnable, error) => this.#fail(runnable, error));
    runner.on('end', () => {
      this.#recordTestsThatHooksPrevented();
      write({ tests: [...this.#tests.values()], problems: this.#problems });
    });
  }

  #record(test: Runnable, status: ReportedTest['status'], errors: ReportedTest['errors'] = []): void {
    const { file, duration } = test;
    this.#tests.set(test, { file, path: titlePath(test), status, durationMs: duration, errors });
  }

  #fail(runnable: Runnable, thrown: unknown): void {
    const errors = [describeError(thrown)];
    const file = runnable.file ?? runnable.parent?.file;
    const path = titlePath(runnable);
    noteFailed({ tests: [{ file, path, status: 'failed', errors }], problems: [] });
    if (runnable.type !== 'hook') return this.#record(runnable, 'failed', errors);
    this.#hooks.push(runnable);
    this.#problems.push({ file, name: path.join(' > '), suite: path.slice(0, -1), errors });
  }

  /** Mocha ends a suite when one of its hooks fails, and does not report the tests that it left out. */
  #recordTestsThatHooksPrevented(): void {
    for (const hook of this.#hooks) {
      hook.parent?.eachTest?.((test) => {
        if (!this.#tests.has(test)) this.#record(test, test.isPending() ? 'skipped' : 'failed');
      });
    }
  }
}

function titlePath(runnable: Runnable): string[] {
  if (runnable.titlePath !== undefined) return runnable.titlePath();
  const path = [runnable.title];
  for (let suite = runnable.parent; suite?.parent !== undefined; suite = suite.parent)
    path.unshift(suite.title);
  return path;
}

// Mocha loads reporters by `require`; only version 12 reads a default export.
export { MochaReporter as default, MochaReporter as 'module.exports' };
