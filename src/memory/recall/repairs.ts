import type { Repair } from '../../schema/generated.ts';
import { validate } from '../../schema/validate.ts';
import { ensureRalphFolder } from '../../platform/ralph-folder.ts';
import { readLines, replaceLines, type LineFile } from '../files/line-file.ts';
import { memoryPath } from '../files/memory-folder.ts';

const FILE = 'repairs.jsonl';
/** Relative to the repository's root; one repair a line, oldest first. */
export const REPAIRS_FILE = memoryPath(FILE);

const MOST_KEPT = 1000;

/** Verified repairs of earlier loops, oldest first; damaged lines are left out. Throws RalphError where the file cannot be read. */
export async function readRepairs(repositoryRoot: string): Promise<readonly Repair[]> {
  return (await readLines(fileIn(repositoryRoot))).records;
}

/**
 * Adds repairs durably and keeps the newest 1,000. A file with damaged lines is first copied beside it, and the copy's
 * path returned. Repairs that violate the schema are left out. Throws RalphError where the disk refuses.
 */
export async function rememberRepairs(
  repositoryRoot: string,
  repairs: readonly Repair[],
): Promise<string | undefined> {
  if (repairs.length === 0) return undefined;
  ensureRalphFolder(repositoryRoot);
  const file = fileIn(repositoryRoot);
  const { records, damaged, isTorn, content } = await readLines(file);
  const valid = repairs.filter((repair) => validate('repair', repair).ok);
  const kept = [...records, ...valid].slice(-MOST_KEPT);
  return replaceLines(file, kept, { damaged: damaged + (isTorn ? 1 : 0), content });
}

function fileIn(repositoryRoot: string): LineFile<'repair'> {
  return { repositoryRoot, name: FILE, schema: 'repair' };
}
