import type { Insight, Insights } from '../../../schema/generated.ts';
import { readJsonFile, writeJsonFile, type JsonFile } from '../../files/json-file.ts';
import { memoryPath } from '../../files/memory-folder.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';

const FILE = 'insights.json';
/** Relative to the repository's root. */
export const INSIGHTS_FILE = memoryPath(FILE);

const NONE: Insights = { insights: [], reflected_through: 0, tried_through: 0, due: false };

/** The stored insights; none where the file is missing or damaged. Throws RalphError where it cannot be read. */
export async function readInsights(repositoryRoot: string): Promise<Insights> {
  return (await readJsonFile(fileIn(repositoryRoot))) ?? NONE;
}

/** Changes the file under memory's lock and returns its new value. Throws RalphError where the disk refuses. */
export function changeInsights(
  repositoryRoot: string,
  change: (now: Insights) => Insights | Promise<Insights>,
): Promise<Insights> {
  return withMemoryLock(repositoryRoot, async () => {
    const changed = await change(await readInsights(repositoryRoot));
    await writeJsonFile(fileIn(repositoryRoot), changed);
    return changed;
  });
}

/** Insights that are not archived, the most important first. */
export function activeInsights({ insights }: Insights): Insight[] {
  return insights.filter(({ archived }) => archived === undefined);
}

function fileIn(repositoryRoot: string): JsonFile<'insights'> {
  return { repositoryRoot, name: FILE, schema: 'insights' };
}
