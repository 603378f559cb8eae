import { lstat, readFile } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import { resolveRalphPath } from '../ralph-folder.ts';

/** Text of a stored file, or why it cannot be used: a predicate such as `is no regular file`. */
export type StoredText = { readonly text: string } | { readonly problem: string };

/** Default limit for a file in a loop's folder. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;

/** A regular file of `.aiwg/ralph`, by its path relative to the repository's root; undefined where there is none. Never rejects. */
export async function readStored(
  repositoryRoot: string,
  path: string,
  maxBytes = MAX_STORED_BYTES,
): Promise<StoredText | undefined> {
  try {
    const absolute = resolveRalphPath(repositoryRoot, path);
    const found = await lstat(absolute);
    if (!found.isFile()) return { problem: 'is no regular file' };
    if (found.size > maxBytes) return { problem: `has ${found.size} bytes; at most ${maxBytes} are read` };
    return { text: await readFile(absolute, 'utf8') };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    return { problem: `cannot be read: ${messageOf(error)}` };
  }
}
