import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../platform/files/durable-write.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { withMemoryLock } from '../lessons/memory-lock.ts';
import { memoryPath } from '../passes/common/memory-file.ts';

/** What went into the archive. */
export interface Reset {
  /** Relative to the repository's root; null where there was nothing. */
  readonly archive: string | null;
  /** Names in the memory folder. */
  readonly moved: readonly string[];
}

const ARCHIVE = 'history';

/**
 * Moves everything in the memory folder into a folder of its own in `history/`, where the earlier archives are; nothing
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
