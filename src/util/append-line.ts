import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FOLDER_SYNC_UNSUPPORTED, unwritable } from './durable-write.ts';
import { bytesBefore, failpoint } from './failpoint.ts';

const TAIL_BYTES = 64 * 1024;

/**
 * Adds one line to a file, making it where it is not there, and returns once it is on the disk. A torn line that a
 * crash left at the end is cut away first. Throws RalphError `workspace_unwritable` where the disk refuses; the file
 * then ends as it did.
 */
export function appendLine(path: string, line: string): void {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    let isNew: boolean;
    try {
      failpoint('append.opened', path);
      isNew = addTo(file, Buffer.from(`${line}\n`), path) === 0;
    } finally {
      closeSync(file);
    }
    if (isNew) syncFolderNow(dirname(path));
    failpoint('append.done', path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Gives the length that the file had. */
function addTo(file: number, bytes: Buffer, path: string): number {
  const end = endOfLines(file);
  try {
    ftruncateSync(file, end);
    const half = bytesBefore('append.half', bytes.length);
    writeAll(file, bytes.subarray(0, half), end);
    failpoint('append.half', path);
    writeAll(file, bytes.subarray(half), end + half);
    failpoint('append.written', path);
    fsyncSync(file);
    return end;
  } catch (error) {
    try {
      ftruncateSync(file, end);
    } catch {
      // What is left of the line is torn, and goes with the next one.
    }
    throw error;
  }
}

/** The file's name is on the disk as well. */
function syncFolderNow(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!FOLDER_SYNC_UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(handle);
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const written = writeSync(file, bytes, done, bytes.length - done, position + done);
    if (written === 0) throw new Error(`only ${done} of ${bytes.length} bytes were written`);
    done += written;
  }
}

/** Length in bytes up to and with the last line break. */
function endOfLines(file: number): number {
  const { size } = fstatSync(file);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - TAIL_BYTES);
    const block = Buffer.alloc(end - start);
    readSync(file, block, 0, block.length, start);
    const last = block.lastIndexOf(0x0a);
    if (last !== -1) return start + last + 1;
    end = start;
  }
  return 0;
}
