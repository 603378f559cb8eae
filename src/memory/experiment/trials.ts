import type { MemoryTrial } from '../../schema/generated.ts';
import { readLines, replaceLines, type LineFile } from '../files/line-file.ts';
import { withMemoryLock } from '../lessons/memory-lock.ts';

const FILE = 'trials.jsonl';
const MOST_KEPT = 2000;

/** The trials of earlier loops, one of each, oldest first; damaged lines are left out. Throws RalphError where the file cannot be read. */
export async function readTrials(repositoryRoot: string): Promise<readonly MemoryTrial[]> {
  return lastOfEach((await readLines(fileIn(repositoryRoot))).records);
}

/**
 * The stored trial of a loop, or a new one, stored durably. `make` gets the number of earlier trials. Throws RalphError
 * where the disk or the lock refuses.
 */
export async function trialOf(
  repositoryRoot: string,
  loopId: string,
  make: (earlier: number) => MemoryTrial,
): Promise<MemoryTrial> {
  const trials = await changeTrials(repositoryRoot, (before) =>
    before.some(({ loop_id }) => loop_id === loopId) ? before : [...before, make(before.length)],
  );
  return trials.find(({ loop_id }) => loop_id === loopId)!;
}

/** Stores the result of a loop and returns all trials, oldest first; a loop without a trial changes nothing. Throws as `trialOf`. */
export function settleTrial(
  repositoryRoot: string,
  loopId: string,
  result: Pick<MemoryTrial, 'passed' | 'attempts' | 'tried'>,
): Promise<readonly MemoryTrial[]> {
  return changeTrials(repositoryRoot, (before) =>
    before.map((trial) => (trial.loop_id === loopId ? { ...trial, ...result } : trial)),
  );
}

function changeTrials(
  repositoryRoot: string,
  change: (before: readonly MemoryTrial[]) => readonly MemoryTrial[],
): Promise<readonly MemoryTrial[]> {
  return withMemoryLock(repositoryRoot, async () => {
    const file = fileIn(repositoryRoot);
    const { records, damaged, isTorn, content } = await readLines(file);
    const before = lastOfEach(records);
    const after = change(before).slice(-MOST_KEPT);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await replaceLines(file, after, { damaged: damaged + (isTorn ? 1 : 0), content });
    return after;
  });
}

function lastOfEach(trials: readonly MemoryTrial[]): MemoryTrial[] {
  return [...new Map(trials.map((trial) => [trial.loop_id, trial])).values()];
}

function fileIn(repositoryRoot: string): LineFile<'memory-trial'> {
  return { repositoryRoot, name: FILE, schema: 'memory-trial' };
}
