import { constants } from 'node:fs';
import { realpath, stat, writeFile } from 'node:fs/promises';
import { unwritable, writeDurably } from './durable-write.ts';

/**
 * Writes a file that the user has named. A link is followed. A regular or new file is replaced as a whole by
 * `writeDurably`; a device, a pipe or a socket is written to and stays what it is. `path` is absolute. Throws RalphError
 * `workspace_unwritable`.
 */
export async function writeOutput(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return writeDurably(path, text);
  if (found.isFile()) return writeDurably(await realpath(path), text);
  try {
    await writeFile(path, text, { flag: constants.O_WRONLY });
  } catch (error) {
    throw unwritable(path, error);
  }
}
