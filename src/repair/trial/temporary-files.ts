import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';

/**
 * Replaces the contents of files while `run` is pending and restores every byte when it settles. Paths are relative
 * to the root. Rejects as `run` does, or if a file cannot be read or written.
 */
export async function withTexts<T>(
  root: string,
  texts: ReadonlyMap<string, string>,
  run: () => Promise<T>,
): Promise<T> {
  const originals = new Map<string, Buffer>();
  for (const file of texts.keys()) originals.set(file, await readFile(join(root, file)));
  try {
    for (const [file, text] of texts) writeInTree(root, file, text);
    return await run();
  } finally {
    for (const [file, bytes] of originals) writeInTree(root, file, bytes);
  }
}
