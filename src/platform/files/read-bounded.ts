import { readFile, stat } from 'node:fs/promises';

/** Default limit for the report of a tool. */
export const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Text of a regular file. Rejects if it has more than `maxBytes` bytes, or is not a regular file, such as an endless pipe. */
export async function readBounded(path: string, maxBytes = MAX_REPORT_BYTES): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  if (found.size > maxBytes) throw new Error(`${path} has ${found.size} bytes; at most ${maxBytes} are read`);
  return readFile(path, 'utf8');
}
