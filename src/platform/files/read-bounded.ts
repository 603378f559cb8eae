import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** Default limit for the report of a tool. */
export const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Above this, a file of ralph's own was not written by ralph, and would take all the memory. */
const MAX_OWN_BYTES = 2 ** 30;

/** Text of a regular file. Rejects if it has more than `maxBytes` bytes, or is no regular file, such as an endless pipe. */
export async function readBounded(path: string, maxBytes = MAX_REPORT_BYTES): Promise<string> {
  refuseUnreadable(path, await stat(path), maxBytes);
  return readFile(path, 'utf8');
}

/** Above this, a text would take all the memory. */
const MAX_TEXT_BYTES = 2 ** 28;

/**
 * Text of a file of a tree. An actor may put a link to an endless device in its place: rejects for what is not a regular
 * file, and for one of more than 256 MiB.
 */
export function readTreeText(path: string): Promise<string> {
  return readBounded(path, MAX_TEXT_BYTES);
}

/** As `readTreeText`, at once. */
export function readTreeTextSync(path: string): string {
  refuseUnreadable(path, statSync(path), MAX_TEXT_BYTES);
  return readFileSync(path, 'utf8');
}

/**
 * Bytes of one of ralph's own files. Throws as `readFileSync` does, and for what is no regular file: reading a pipe, of
 * which nobody writes the other end, cannot be interrupted.
 */
export function readOwnFile(path: string): Buffer {
  refuseUnreadable(path, statSync(path), MAX_OWN_BYTES);
  return readFileSync(path);
}

function refuseUnreadable(path: string, found: Stats, maxBytes: number): void {
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  if (found.size > maxBytes) throw new Error(`${path} has ${found.size} bytes; at most ${maxBytes} are read`);
}
