import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../platform/files/file-errors.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { withMemoryLock } from '../lessons/memory-lock.ts';
import { memoryPath } from '../files/memory-folder.ts';

/** The result of a reset. */
export interface Reset {
  /** Folder of the archive, relative to the repository's root; null where memory was empty. */
  readonly archive: string | null;
  /** Names of the moved files and folders. */
  readonly moved: readonly string[];
}

const ARCHIVE = 'history';

/**
 * Moves the content of the memory folder into `history/reset-<time>/`; earlier archives stay where they are, and nothing
 * is deleted. Throws RalphError where the disk refuses.
 */
export function resetMemory(repositoryRoot: string, now: Date): Promise<Reset> {
  return withMemoryLock(repositoryRoot, async () => {
    const folder = ralphFolder(repositoryRoot).memory();
    const names = (await readFolder(folder)).map(({ name }) => name).filter((name) => name !== ARCHIVE);
    const versions = (await readFolder(join(folder, ARCHIVE)))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('reset-'));
    if (names.length + versions.length === 0) return { archive: null, moved: [] };
    const stamp = `reset-${now.toISOString().replace(/[^0-9TZ]/g, '')}`;
    const target = ralphFolder(repositoryRoot).inMemory(`${ARCHIVE}/${stamp}`);
    try {
      await mkdir(join(target, ARCHIVE), { recursive: true });
      for (const name of names) await rename(join(folder, name), join(target, name));
      for (const name of versions) await rename(join(folder, ARCHIVE, name), join(target, ARCHIVE, name));
    } catch (error) {
      throw unwritable(target, error);
    }
    return { archive: memoryPath(`${ARCHIVE}/${stamp}`), moved: [...names, ...versions] };
  });
}
