import type { MicroState } from '../../../schema/generated.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';
import { readMemoryFile, writeMemoryFile, type MemoryFile } from '../common/memory-file.ts';

const MOST_LOOPS = 200;
const NONE: MicroState = { watermarks: [], digested_through: 0 };

/** How far was looked; nothing where the file is missing or damaged. */
export async function readMicroState(repositoryRoot: string): Promise<MicroState> {
  return (await readMemoryFile(fileOf(repositoryRoot))) ?? NONE;
}

/** Position up to which a loop's entries have been looked at; −1: nothing of it has. */
export function watermarkOf({ watermarks }: MicroState, loopId: string): number {
  return watermarks.find(({ loop_id: id }) => id === loopId)?.position ?? -1;
}

/** Moves a loop's watermark; it never goes back. */
export function moveWatermark(repositoryRoot: string, loopId: string, position: number): Promise<void> {
  return change(repositoryRoot, (state) => ({
    ...state,
    watermarks: [
      ...state.watermarks.filter(({ loop_id: id }) => id !== loopId),
      { loop_id: loopId, position: Math.max(position, watermarkOf(state, loopId)) },
    ].slice(-MOST_LOOPS),
  }));
}

/** Notes a digest: of attempts up to `seq`, on this day (UTC, `2026-01-31`). */
export function noteDigest(repositoryRoot: string, seq: number, day: string): Promise<void> {
  return change(repositoryRoot, (state) => ({
    ...state,
    digested_through: Math.max(seq, state.digested_through),
    digested_on: day,
  }));
}

function change(repositoryRoot: string, next: (state: MicroState) => MicroState): Promise<void> {
  return withMemoryLock(repositoryRoot, async () =>
    writeMemoryFile(fileOf(repositoryRoot), next(await readMicroState(repositoryRoot))),
  );
}

function fileOf(repositoryRoot: string): MemoryFile<'micro-state'> {
  return { repositoryRoot, name: 'micro.json', schema: 'micro-state' };
}
