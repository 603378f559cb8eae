import type { Memory } from '../ports.ts';
import type { Trajectory, Usage } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import { readJournal } from '../state/journal.ts';
import { ralphPath } from '../util/ralph-folder.ts';

/** What the finished steps of a loop took: its attempts, and the reflections on them. */
export async function spentBefore(repositoryRoot: string, loopId: string, memory: Memory): Promise<Usage> {
  const { records } = readJournal(ralphPath(repositoryRoot, 'loops', loopId, 'journal.jsonl'));
  const attempts = records
    .filter(({ step }) => step.endsWith(':act'))
    .map(({ data }) => (data as { trajectory: Trajectory }).trajectory.usage);
  const reflections = (await memory.episodes(loopId)).map(({ reflector }) => reflector.usage ?? NO_USAGE);
  return sumUsage([...attempts, ...reflections]);
}
