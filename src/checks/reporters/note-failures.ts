/** Runs inside the tested project's process: notes the first failed tests, so that they are known before the run ends. */
import { appendFileSync } from 'node:fs';

/** Failures that a run notes. */
export const MAX_NOTED = 5;
/** Characters of a note; a longer one is left out. */
export const MAX_NOTE_CHARS = 100_000;

/** The file beside a report with one line per failure. It is not signed, and decides nothing. */
export function failuresFilePath(reportFile: string): string {
  return `${reportFile}.failures`;
}

/**
 * A function that appends a failure as one line of JSON: a report, of the form that the runner's reporter writes, with one
 * test. It does nothing after five failures or without a report, and never throws.
 */
export function createFailureNote(reportFile: string): (report: unknown) => void {
  const append = appendFileSync;
  const stringify = JSON.stringify;
  let noted = 0;
  return (report) => {
    if (reportFile === '' || noted >= MAX_NOTED) return;
    try {
      const line = stringify(report);
      if (line.length > MAX_NOTE_CHARS) return;
      noted++;
      append(failuresFilePath(reportFile), `${line}\n`);
    } catch {
      // Only the report at the end counts.
    }
  };
}
