import { RalphError } from '../../errors.ts';
import { unreadable } from '../../platform/files/file-errors.ts';
import { RALPH_FOLDER, ralphFolder } from '../../platform/ralph-folder.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';

/** Path of a file in `.aiwg/ralph/memory`, relative to the repository's root; `name` such as `history/a.json`. */
export function memoryPath(name: string): string {
  return `${RALPH_FOLDER}/memory/${name}`;
}

/** The same as an absolute path. Throws RalphError for a link that leads out of the repository. */
export function absoluteMemoryPath(repositoryRoot: string, name: string): string {
  return ralphFolder(repositoryRoot).inMemory(name);
}

/**
 * The bytes of a memory file; undefined where it does not exist, or where a link on its path leads out of the
 * repository. Throws RalphError where it cannot be read.
 */
export async function readMemoryBytes(repositoryRoot: string, name: string): Promise<Buffer | undefined> {
  try {
    return readOwnFile(absoluteMemoryPath(repositoryRoot, name));
  } catch (error) {
    // `ralphFolder` refuses a link that leads out of the repository; ralph never wrote anything behind it.
    if (error instanceof RalphError || isMissing(error)) return undefined;
    throw unreadable(memoryPath(name), error);
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
