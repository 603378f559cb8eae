import type { MicroState } from '../../../schema/generated.ts';
import { readJsonFile, writeJsonFile, type JsonFile } from '../../files/json-file.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';

const MOST_LOOPS = 200;
const NONE: MicroState = { watermarks: [], digested_through: 0 };

/** The state of micro-reflection; empty where the file is missing or damaged. */
export async function readMicroState(repositoryRoot: string): Promise<MicroState> {
  return (await readJsonFile(fileIn(repositoryRoot))) ?? NONE;
}

/** Position of the last entry of a loop that was read; −1 for none. */
export function watermarkOf({ watermarks }: MicroState, loopId: string): number {
  return watermarks.find(({ loop_id: id }) => id === loopId)?.position ?? -1;
}

/** Moves a loop's watermark forward to `position`, never back. */
export function moveWatermark(repositoryRoot: string, loopId: string, position: number): Promise<void> {
  return change(repositoryRoot, (state) => ({
    ...state,
    watermarks: [
      ...state.watermarks.filter(({ loop_id: id }) => id !== loopId),
      { loop_id: loopId, position: Math.max(position, watermarkOf(state, loopId)) },
    ].slice(-MOST_LOOPS),
  }));
}

/** Records a digest of the attempts up to `seq`, made on `day` (UTC, `2026-01-31`). */
export function recordDigest(repositoryRoot: string, seq: number, day: string): Promise<void> {
  return change(repositoryRoot, (state) => ({
    ...state,
    digested_through: Math.max(seq, state.digested_through),
    digested_on: day,
  }));
}

function change(repositoryRoot: string, next: (state: MicroState) => MicroState): Promise<void> {
  return withMemoryLock(repositoryRoot, async () =>
    writeJsonFile(fileIn(repositoryRoot), next(await readMicroState(repositoryRoot))),
  );
}

function fileIn(repositoryRoot: string): JsonFile<'micro-state'> {
  return { repositoryRoot, name: 'micro.json', schema: 'micro-state' };
}
