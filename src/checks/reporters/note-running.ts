/** Runs inside the tested project's process: notes which tests are running, for a run that never ends. */
import { writeFileSync } from 'node:fs';

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

/** A function that replaces the note beside a report; it does nothing without a report. */
export function createRunningNote(reportFile: string): (running: readonly RunningTest[]) => void {
  const write = writeFileSync;
  const stringify = JSON.stringify;
  return (running) => {
    if (reportFile !== '') write(runningFilePath(reportFile), stringify(running));
  };
}
