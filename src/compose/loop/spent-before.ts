import type { Memory } from '../../ports.ts';
import type { Trajectory, Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { readJournal } from '../../state/journal.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';

/** Usage of a loop's finished steps: its attempts, their reflections and its long-term memory. */
export async function spentBefore(repositoryRoot: string, loopId: string, memory: Memory): Promise<Usage> {
  const { records } = readJournal(ralphFolder(repositoryRoot).journal(loopId));
  const attempts = records
    .filter(({ step }) => step.endsWith(':act'))
    .map(({ data }) => (data as { trajectory: Trajectory }).trajectory.usage);
  const reflections = (await memory.episodes(loopId)).map(({ reflector }) => reflector.usage ?? NO_USAGE);
  return sumUsage([...attempts, ...reflections, memorySpentBefore(repositoryRoot, loopId)]);
}

/** Usage of long-term memory in a loop's finished steps, each of which records the sum so far. */
export function memorySpentBefore(repositoryRoot: string, loopId: string): Usage {
  const { records } = readJournal(ralphFolder(repositoryRoot).journal(loopId));
  const sums = records.filter(({ step }) => /:(?:learn|conclude)$/.test(step)).map(({ data }) => data);
  return sums.findLast(isUsage) ?? NO_USAGE;
}

/** Steps of older versions recorded no usage. */
function isUsage(data: unknown): data is Usage {
  return typeof data === 'object' && data !== null && 'input_tokens' in data;
}
