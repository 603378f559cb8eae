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
import { FOLDER_SYNC_UNSUPPORTED, unwritable } from './durable-write.ts';
import { bytesBefore, failpoint } from './failpoint.ts';

const TAIL_BYTES = 64 * 1024;

/** Why the disk did not take an earlier line for good, by file. */
const refused = new Map<string, Error>();

/**
 * Adds one line to a file, making it where it is not there. It outlives the process from here on; against a power cut
 * the disk is asked to keep it meanwhile, and where it refuses, the next call says so. A torn line that a crash left at
 * the end is cut away first. Throws RalphError `workspace_unwritable` where the disk refuses; the file then ends as it
 * did.
 */
export function appendLine(path: string, line: string): void {
  try {
    const earlier = refused.get(path);
    if (earlier !== undefined) throw earlier;
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      failpoint('append.opened', path);
      const isNew = addTo(file, Buffer.from(`${line}\n`), path) === 0;
      keep(file, path);
      if (isNew) keepName(path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
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

/** A process that ends by itself waits for it. Closes the file. */
function keep(file: number, path: string): void {
  fsync(file, (error) => {
    closeSync(file);
    if (error !== null) refused.set(path, error);
  });
}

/** The file's name is on the disk as well. */
function keepName(path: string): void {
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
