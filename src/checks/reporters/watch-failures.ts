import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { failuresFilePath, MAX_NOTE_CHARS, MAX_NOTED } from './note-failures.ts';

const POLL_MS = 250;
/** A character takes at most three bytes of UTF-8. */
const MAX_BYTES = 3 * MAX_NOTED * MAX_NOTE_CHARS;

/** Reads what a running reporter notes about failed tests. */
export interface FailureWatch {
  /** Reads the last notes, and stops. */
  close(): void;
}

/**
 * Calls `onNote` with each line beside the report, at most five times. The tested code can write there as well: the lines may
 * contain anything. An error of `onNote` is ignored.
 */
export function watchFailures(reportFile: string, onNote: (line: string) => void): FailureWatch {
  const file = failuresFilePath(reportFile);
  let count = 0;
  const look = (): void => {
    for (const line of readLines(file).slice(count, MAX_NOTED)) {
      count++;
      try {
        onNote(line);
      } catch {
        // Not a note of our reporter.
      }
    }
  };
  const timer = setInterval(look, POLL_MS);
  return {
    close() {
      clearInterval(timer);
      look();
    },
  };
}

/** Complete lines of a regular file; none if there is no such file. Links are not followed, and a pipe does not block. */
function readLines(file: string): string[] {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) return [];
    const bytes = Buffer.alloc(Math.min(found.size, MAX_BYTES));
    const length = readSync(descriptor, bytes);
    return bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
