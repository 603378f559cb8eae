import { lstat, readFile } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import { ralphPath } from '../ralph-folder.ts';

/** Text of a stored file, or why it cannot be used: a predicate such as `is no regular file`. */
export type StoredText = { readonly text: string } | { readonly problem: string };

/** Default limit for a file in a loop's folder. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;

/** Reads a regular file of `.aiwg/ralph`, given the parts of its path; undefined if it does not exist. Never rejects. */
export async function readStored(
  repositoryRoot: string,
  parts: readonly string[],
  maxBytes = MAX_STORED_BYTES,
): Promise<StoredText | undefined> {
  try {
    const path = ralphPath(repositoryRoot, ...parts);
    const found = await lstat(path);
    if (!found.isFile()) return { problem: 'is no regular file' };
    if (found.size > maxBytes) return { problem: `has ${found.size} bytes; at most ${maxBytes} are read` };
    return { text: await readFile(path, 'utf8') };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    return { problem: `cannot be read: ${messageOf(error)}` };
  }
}
