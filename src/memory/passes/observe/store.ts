import type { Observation } from '../../../schema/generated.ts';
import { ensureRalphFolder } from '../../../platform/ralph-folder.ts';
import { addLines, readLines, replaceLines, type LineFile, type Lines } from '../../files/line-file.ts';
import { memoryPath } from '../../files/memory-folder.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';

const FILE = 'observations.jsonl';
/** Relative to the repository's root; one attempt a line, oldest first. */
export const OBSERVATIONS_FILE = memoryPath(FILE);

/** From this many lines on, the older half moves into `history/`. */
export const MOST_LINES = 600;
const NO_LINES = { damaged: 0, content: Buffer.of() };

/** Stored observations, oldest first; damaged lines are left out. Throws RalphError where the file cannot be read. */
export async function readObservations(repositoryRoot: string): Promise<readonly Observation[]> {
  return inOrder(await readLines(fileIn(repositoryRoot)));
}

/** The newest `count` observations that are not archived, oldest first. */
export function recentObservations(observations: readonly Observation[], count: number): Observation[] {
  return count <= 0 ? [] : observations.filter(({ archived }) => archived === undefined).slice(-count);
}

/**
 * Appends the observation that `observe` makes from the earlier ones, unless it returns one of them. Returns the stored
 * observation. Throws RalphError where the disk refuses.
 */
export function addObservation(
  repositoryRoot: string,
  observe: (earlier: readonly Observation[]) => Observation,
): Promise<Observation> {
  return withMemoryLock(repositoryRoot, async () => {
    const earlier = await readObservations(repositoryRoot);
    const observation = observe(earlier);
    if (earlier.includes(observation)) return observation;
    ensureRalphFolder(repositoryRoot);
    addLines(fileIn(repositoryRoot), [observation]);
    if (earlier.length >= MOST_LINES) await moveOlderHalf(repositoryRoot);
    return observation;
  });
}

/** Archives observations: they stay in the file, and no synthesis reads them. Returns how many it archived. */
export function archiveObservations(
  repositoryRoot: string,
  ids: ReadonlySet<string>,
  reason: string,
): Promise<number> {
  return withMemoryLock(repositoryRoot, async () => {
    const observations = await readObservations(repositoryRoot);
    const leaving = observations.filter(({ id, archived }) => ids.has(id) && archived === undefined);
    if (leaving.length === 0) return 0;
    const marked = new Set(leaving);
    await rewrite(
      repositoryRoot,
      observations.map((one) => (marked.has(one) ? { ...one, archived: reason } : one)),
    );
    return leaving.length;
  });
}

async function moveOlderHalf(repositoryRoot: string): Promise<void> {
  const observations = await readObservations(repositoryRoot);
  const older = observations.slice(0, Math.floor(observations.length / 2));
  const [first, last] = [older[0]?.seq ?? 0, older.at(-1)?.seq ?? 0];
  const archive = { ...fileIn(repositoryRoot), name: `history/observations-${first}-${last}.jsonl` };
  await replaceLines(archive, older, NO_LINES);
  await rewrite(repositoryRoot, observations.slice(older.length));
}

async function rewrite(repositoryRoot: string, observations: readonly Observation[]): Promise<void> {
  const file = fileIn(repositoryRoot);
  const { damaged, isTorn, content } = await readLines(file);
  await replaceLines(file, observations, { damaged: damaged + (isTorn ? 1 : 0), content });
}

/** The last line of an id replaces earlier ones. */
function inOrder({ records }: Lines<Observation>): Observation[] {
  const byId = new Map(records.map((observation) => [observation.id, observation]));
  return [...byId.values()].sort((a, b) => a.seq - b.seq);
}

function fileIn(repositoryRoot: string): LineFile<'observation'> {
  return { repositoryRoot, name: FILE, schema: 'observation' };
}
