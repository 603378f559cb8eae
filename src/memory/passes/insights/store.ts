import type { Insight, Insights } from '../../../schema/generated.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';
import { memoryPath, readMemoryFile, writeMemoryFile, type MemoryFile } from '../common/memory-file.ts';

const FILE = 'insights.json';
/** Relative to the repository's root. */
export const INSIGHTS_FILE = memoryPath(FILE);

const NONE: Insights = { insights: [], reflected_through: 0, tried_through: 0, due: false };

/** What was synthesised so far; nothing where the file is missing or damaged. Throws RalphError where it cannot be read. */
export async function readInsights(repositoryRoot: string): Promise<Insights> {
  return (await readMemoryFile(fileOf(repositoryRoot))) ?? NONE;
}

/** Changes the file by what stands in it now, one change behind the other. Throws RalphError where the disk refuses. */
export function changeInsights(
  repositoryRoot: string,
  change: (now: Insights) => Insights | Promise<Insights>,
): Promise<Insights> {
  return withMemoryLock(repositoryRoot, async () => {
    const changed = await change(await readInsights(repositoryRoot));
    await writeMemoryFile(fileOf(repositoryRoot), changed);
    return changed;
  });
}

/** Those that count, by importance. */
export function activeInsights({ insights }: Insights): Insight[] {
  return insights.filter(({ archived }) => archived === undefined);
}

function fileOf(repositoryRoot: string): MemoryFile<'insights'> {
  return { repositoryRoot, name: FILE, schema: 'insights' };
}
