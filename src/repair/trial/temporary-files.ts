import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
    for (const [file, text] of texts) await writeFile(join(root, file), text);
    return await run();
  } finally {
    for (const [file, bytes] of originals) await writeFile(join(root, file), bytes);
  }
}
