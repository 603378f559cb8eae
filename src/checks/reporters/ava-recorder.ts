import { stripVTControlCharacters } from 'node:util';
import type { ReportedError, ReportedProblem, ReportedTest, TestReport } from '../results/test-report.ts';
import { describeError } from '../results/describe-error.ts';

/** An internal run event of AVA, with the fields that are read here; the names are the same in versions 4 to 7. */
export interface AvaEvent {
  readonly type: string;
  readonly title?: string;
  readonly testFile?: string;
  readonly duration?: number;
  readonly skip?: boolean;
  readonly todo?: boolean;
  readonly err?: AvaError;
  readonly nonZeroExitCode?: number;
  readonly signal?: string;
  readonly period?: number;
  readonly forcedExit?: boolean;
  readonly pendingTests?: Iterable<readonly [string, Iterable<string>]>;
}

interface AvaError {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly assertion?: string;
  readonly formattedError?: string;
  /** Version 6 and later. */
  readonly formattedDetails?: readonly AvaDetail[];
  /** Up to version 5. */
  readonly values?: readonly AvaDetail[];
}

interface AvaDetail {
  readonly label: string;
  readonly formatted: string;
}

/** Collects the events of one run into a report. */
export interface AvaRecorder {
  record(event: AvaEvent): void;
  report(): TestReport;
}

interface FileRecord {
  readonly tests: Map<string, ReportedTest>;
  readonly crashes: ReportedError[];
  failed: boolean;
  declared: boolean;
}

/** A recorder of one run. It sorts the files, since AVA runs them in parallel. `onFailed`: called when a test fails. */
export function createAvaRecorder(onFailed: (test: ReportedTest) => void): AvaRecorder {
  const files = new Map<string, FileRecord>();
  const problems: ReportedProblem[] = [];

  const fileOf = (name: string): FileRecord => {
    const record = files.get(name) ?? { tests: new Map(), crashes: [], failed: false, declared: false };
    files.set(name, record);
    return record;
  };

  const recordInFile = (event: AvaEvent, name: string): void => {
    const file = fileOf(name);
    const set = (status: ReportedTest['status'], errors: ReportedError[] = []): void => {
      const path = [event.title ?? ''];
      file.tests.set(event.title ?? '', { file: name, path, status, durationMs: event.duration, errors });
    };
    switch (event.type) {
      case 'declared-test':
        file.declared = true;
        return;
      case 'selected-test':
        // Remains failed where no result follows: the test did not end.
        return event.skip || event.todo
          ? set('skipped')
          : set('failed', [{ message: 'The test did not finish.' }]);
      case 'test-passed':
        return set('passed');
      case 'test-failed':
        set('failed', [toError(event.err)]);
        return onFailed(file.tests.get(event.title ?? '')!);
      case 'hook-failed':
        problems.push({ file: name, name: event.title ?? 'hook', errors: [toError(event.err)] });
        return;
      case 'uncaught-exception':
      case 'unhandled-rejection':
        file.crashes.push(toError(event.err));
        return;
      case 'missing-ava-import':
        file.failed = true;
        file.crashes.push({ message: 'No tests found: the file does not import "ava".' });
        return;
      case 'process-exit':
        file.failed = true;
        file.crashes.push({ message: 'The code under test called process.exit().', stack: event.err?.stack });
        return;
      case 'worker-failed':
        file.failed = true;
        return;
      case 'worker-finished':
        if (!event.forcedExit && !file.declared) file.failed = true;
        return;
    }
  };

  const recordTimeout = ({ period, pendingTests = [] }: AvaEvent): void => {
    const errors = [{ message: `Timed out after ${period} ms without a finished test.` }];
    for (const [file, titles] of pendingTests) {
      for (const title of titles)
        fileOf(file).tests.set(title, { file, path: [title], status: 'failed', errors });
    }
  };

  return {
    record(event) {
      if (event.type === 'timeout') recordTimeout(event);
      if (event.type === 'internal-error') problems.push({ name: 'ava', errors: [toError(event.err)] });
      if (event.testFile !== undefined) recordInFile(event, event.testFile);
    },
    report: () => ({
      tests: [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, file]) => testsOf(name, file)),
      problems,
    }),
  };
}

function testsOf(name: string, { tests, crashes, failed }: FileRecord): ReportedTest[] {
  const all = [...tests.values()];
  if (!failed && crashes.length === 0) return all;
  const errors = crashes.length > 0 ? crashes : [{ message: 'The file ended without running its tests.' }];
  return [{ file: name, path: [], status: 'failed', errors }, ...all];
}

function toError(error: AvaError | undefined): ReportedError {
  if (error === undefined) return { message: 'The test failed.' };
  const details = (error.formattedDetails ?? error.values ?? []).map(({ label, formatted }) => ({
    label: stripVTControlCharacters(label),
    formatted: stripVTControlCharacters(formatted),
  }));
  const described = describeError({ ...error, message: error.message || error.formattedError || '' });
  const thrown = thrownError(details);
  if (thrown !== undefined) return { ...thrown, stack: described.stack };
  const text = details.map(({ label, formatted }) => `${label}\n${formatted}`).join('\n');
  return {
    ...described,
    message: [described.message, text].filter(Boolean).join('\n\n'),
    isAssertion: error.assertion === undefined && details.length === 0 ? described.isAssertion : true,
    ...valuesOf(details),
  };
}

/** The error that the code under test threw: AVA wraps it in an assertion error and prints it below a label. */
function thrownError(details: readonly AvaDetail[]): ReportedError | undefined {
  const printed = details.find(({ label }) =>
    /^(Error thrown in test|Rejected promise)/.test(label),
  )?.formatted;
  if (printed === undefined) return undefined;
  const error =
    /^(\w*(?:Error|Exception)\w*) \{\s*(?:[\w$]+: [^\n]*\n\s*)*?message: (['"`])(.*?)\2,?$/ms.exec(printed);
  if (error === null) return { message: `thrown: ${printed}` };
  return { name: error[1], message: error[3]!.replaceAll("\\'", "'") };
}

/** AVA shows both values as one difference: `-` for received lines, `+` for expected lines. */
function valuesOf(details: readonly AvaDetail[]): Pick<ReportedError, 'expected' | 'received'> {
  const difference = details.find(({ label }) => label.startsWith('Difference'));
  if (difference === undefined) return {};
  const side = (sign: string): string =>
    difference.formatted
      .split('\n')
      .filter((line) => line.startsWith(sign) || line.startsWith(' '))
      .map((line) => line.slice(2))
      .join('\n');
  return { expected: side('+'), received: side('-') };
}
