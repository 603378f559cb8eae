import { readFile, stat } from 'node:fs/promises';

/** A report of a tool may be large; what is larger than this is none. */
export const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** A regular file's text. Rejects where it is longer than `maxBytes` or something else, such as a pipe without an end. */
export async function readBounded(path: string, maxBytes = MAX_REPORT_BYTES): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  if (found.size > maxBytes) throw new Error(`${path} has ${found.size} bytes; at most ${maxBytes} are read`);
  return readFile(path, 'utf8');
}
