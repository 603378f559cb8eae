/** Runs inside the tested project's process: notes which tests are running, for a run that never ends. */
import { openSync, writeSync } from 'node:fs';

/** A test, or a whole test file, that has begun and not ended. */
export interface RunningTest {
  /** As the runner names it: absolute, or a `file:` URL. */
  readonly file?: string;
  /** Absent for a whole file. */
  readonly name?: string;
}

/** The file beside a report that names the running tests. It is not signed, and decides nothing. */
export function runningFilePath(reportFile: string): string {
  return `${reportFile}.running`;
}

/**
 * A function that replaces the note beside a report; it does nothing without a report, and never throws. The note is written
 * over itself, with blanks behind a shorter one: a file that is emptied before it is filled takes ext4 a hundred times as
 * long, and there may be thousands of tests.
 */
export function createRunningNote(reportFile: string): (running: readonly RunningTest[]) => void {
  const open = openSync;
  const write = writeSync;
  const stringify = JSON.stringify;
  const bytesOf = Buffer.byteLength;
  let file: number | undefined;
  let written = 0;
  return (running) => {
    if (reportFile === '') return;
    try {
      file ??= open(runningFilePath(reportFile), 'w');
      const text = stringify(running);
      const bytes = bytesOf(text);
      write(file, text + ' '.repeat(Math.max(0, written - bytes)), 0);
      written = Math.max(written, bytes);
    } catch {
      // Tests may replace the file system by one in memory. A run that ends needs no note.
    }
  };
}
