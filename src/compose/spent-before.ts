import type { Memory } from '../ports.ts';
import type { Trajectory, Usage } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import { readJournal } from '../state/journal.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';

/** What the finished steps of a loop took: its attempts, the reflections on them, and its long-term memory. */
export async function spentBefore(repositoryRoot: string, loopId: string, memory: Memory): Promise<Usage> {
  const { records } = readJournal(ralphFolder(repositoryRoot).journal(loopId));
  const attempts = records
    .filter(({ step }) => step.endsWith(':act'))
    .map(({ data }) => (data as { trajectory: Trajectory }).trajectory.usage);
  const reflections = (await memory.episodes(loopId)).map(({ reflector }) => reflector.usage ?? NO_USAGE);
  return sumUsage([...attempts, ...reflections, memorySpentBefore(repositoryRoot, loopId)]);
}

/** What the models of long-term memory took in the finished steps of a loop: each that has them keeps the sum. */
export function memorySpentBefore(repositoryRoot: string, loopId: string): Usage {
  const { records } = readJournal(ralphFolder(repositoryRoot).journal(loopId));
  const sums = records.filter(({ step }) => /:(?:learn|conclude)$/.test(step)).map(({ data }) => data);
  return sums.findLast(isUsage) ?? NO_USAGE;
}

/** Loops that began with an older version kept none. */
function isUsage(data: unknown): data is Usage {
  return typeof data === 'object' && data !== null && 'input_tokens' in data;
}
