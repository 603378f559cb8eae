import { statSync } from 'node:fs';
import { join } from 'node:path';
import { RALPH_PATHS } from '../../platform/ralph-folder.ts';
import type { EarlierReflection } from '../../ports/reflection.ts';
import { hasEdits } from './edits-in-tree.ts';
import { listLoopFiles, loopFolders, readRecord } from './reflection-files.ts';

/** Loops that are read, those that wrote a reflection last. */
const MOST_LOOPS = 30;
/** Reflections per loop, the newest. */
const MOST_PER_LOOP = 5;

/**
 * The newest reflections of other loops in the repository, oldest first, at most 150: candidates for places that a loop's
 * own window leaves empty, each with what the files of the repository now have of its edits. Damaged files and foreign records are left out.
 */
export async function readEarlierReflections(
  repositoryRoot: string,
  loopId: string,
): Promise<EarlierReflection[]> {
  const loops = (await loopFolders(repositoryRoot))
    .filter((loop) => loop !== loopId)
    .map((loop) => ({ loop, at: changedAt(join(repositoryRoot, RALPH_PATHS.reflectionsOf(loop))) }))
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_LOOPS);
  const found: EarlierReflection[] = [];
  for (const { loop } of loops) {
    for (const file of (await listLoopFiles(repositoryRoot, loop)).slice(-MOST_PER_LOOP)) {
      const record = await readRecord(repositoryRoot, file);
      if (typeof record === 'string' || record.source !== 'ralph') continue;
      found.push({ ...record.reflection, isInTree: hasEdits(repositoryRoot, record.reflection) });
    }
  }
  return found.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}

/** Milliseconds since 1970; 0 for a folder that is gone. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
