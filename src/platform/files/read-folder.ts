import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { unreadable } from './durable-write.ts';

/** What lies in a folder; nothing where there is none. Throws RalphError where there is one that cannot be read. */
export async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw unreadable(path, error);
  }
}
