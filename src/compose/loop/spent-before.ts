import type { Memory } from '../../ports.ts';
import type { JournalRecord, Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { readJournal } from '../../state/journal.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { createStepMeter, isMemoryStep, isReflection } from './step-usage.ts';

/** Usage of a loop's finished steps: its attempts, their reflections, tests, judgements and its long-term memory. */
export async function spentBefore(repositoryRoot: string, loopId: string, memory: Memory): Promise<Usage> {
  // Older versions recorded only the path of a reflection.
  const reflections = (await memory.episodes(loopId)).map(({ reflector }) => reflector.usage ?? NO_USAGE);
  const others = recordsOf(repositoryRoot, loopId).filter((record) => !isReflection(record));
  return sumUsage([...reflections, ...others.map(createStepMeter())]);
}

/** Usage of long-term memory in a loop's finished steps. */
export function memorySpentBefore(repositoryRoot: string, loopId: string): Usage {
  return sumUsage(recordsOf(repositoryRoot, loopId).filter(isMemoryStep).map(createStepMeter()));
}

function recordsOf(repositoryRoot: string, loopId: string): readonly JournalRecord[] {
  return readJournal(ralphFolder(repositoryRoot).journal(loopId)).records;
}
