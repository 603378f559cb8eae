import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  open,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FOLDER_SYNC_UNSUPPORTED } from './durable-write.ts';
import { unwritable } from './file-errors.ts';
import { bytesBefore, failpoint } from './failpoint.ts';

const TAIL_BYTES = 64 * 1024;

/** Errors of earlier background syncs, by path; the next append to the file throws them. */
const refused = new Map<string, Error>();

/**
 * Appends one line to a file; creates the file if it is missing. The line survives the end of the process at once. It
 * is synced in the background, so a power cut may lose it; if the sync fails, the next call for the file throws. An
 * incomplete line at the end, left by a crash, is removed first. Throws RalphError `workspace_unwritable` if the disk
 * refuses the line; the file then has its previous content.
 */
export function appendLine(path: string, line: string): void {
  try {
    const earlier = refused.get(path);
    if (earlier !== undefined) throw earlier;
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      failpoint('append.opened', path);
      const isNew = addTo(file, Buffer.from(`${line}\n`), path) === 0;
      syncInBackground(file, path);
      if (isNew) syncName(path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    failpoint('append.done', path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Returns the length of the file before the line, in bytes. */
function addTo(file: number, bytes: Buffer, path: string): number {
  const end = endOfLines(file);
  try {
    ftruncateSync(file, end);
    const half = bytesBefore('append.half', bytes.length);
    writeAll(file, bytes.subarray(0, half), end);
    failpoint('append.half', path);
    writeAll(file, bytes.subarray(half), end + half);
    failpoint('append.written', path);
    return end;
  } catch (error) {
    try {
      ftruncateSync(file, end);
    } catch {
      // The next append removes the incomplete line.
    }
    throw error;
  }
}

/** Closes the file afterwards. A process that ends by itself waits for the sync. */
function syncInBackground(file: number, path: string): void {
  fsync(file, (error) => {
    closeSync(file);
    if (error !== null) refused.set(path, error);
  });
}

/** Syncs the folder, which holds the name of a new file. */
function syncName(path: string): void {
  open(dirname(path), 'r', (failure, folder) => {
    if (failure !== null) return void refused.set(path, failure);
    fsync(folder, (error) => {
      closeSync(folder);
      if (error !== null && !FOLDER_SYNC_UNSUPPORTED.has(error.code ?? '')) refused.set(path, error);
    });
  });
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const written = writeSync(file, bytes, done, bytes.length - done, position + done);
    if (written === 0) throw new Error(`only ${done} of ${bytes.length} bytes were written`);
    done += written;
  }
}

/** Bytes up to and including the last line break. */
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
