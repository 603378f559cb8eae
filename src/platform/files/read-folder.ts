import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { unreadable } from './file-errors.ts';

/** Entries of a folder; none if it does not exist. Throws RalphError if it cannot be read. */
export async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw unreadable(path, error);
  }
}
