import { constants } from 'node:fs';
import { realpath, stat, writeFile } from 'node:fs/promises';
import { writeDurably } from './durable-write.ts';
import { unwritable } from './file-errors.ts';

/**
 * Writes a file that the user has named. A link is followed. A regular or new file is replaced as a whole by
 * `writeDurably`; a device, a pipe or a socket is written to and stays what it is. `path` is absolute. Throws RalphError
 * `workspace_unwritable`.
 */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return writeDurably(path, content);
  if (found.isFile()) return writeDurably(await realpath(path), content);
  try {
    await writeFile(path, content, { flag: constants.O_WRONLY });
  } catch (error) {
    throw unwritable(path, error);
  }
}
