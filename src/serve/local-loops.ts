import type { LoopState } from '../schema/generated.ts';
import { lockHolder } from '../state/lock.ts';
import { listLoops, readState } from '../state/loops.ts';

/** A loop as the pages show it. */
export interface ShownLoop {
  readonly state: LoopState;
  /** The stored status; `interrupted` for a loop that was killed. */
  readonly status: string;
}

/** The loops of a repository. */
export interface ShownLoops {
  /** Newest first. */
  readonly loops: readonly ShownLoop[];
  /** Loops that cannot be read. */
  readonly damaged: readonly { readonly path: string; readonly problem: string }[];
}

/** Lists every loop with its status now. */
export async function readLoops(repositoryRoot: string): Promise<ShownLoops> {
  const { loops, damaged } = await listLoops(repositoryRoot);
  const statusOf = statusBy(repositoryRoot);
  return { loops: loops.map((state) => ({ state, status: statusOf(state) })), damaged };
}

/** One loop with its status now; undefined if it has no state yet, or one that cannot be read. */
export async function readLoop(repositoryRoot: string, loopId: string): Promise<ShownLoop | undefined> {
  const state = await readState(repositoryRoot, loopId).catch(() => null);
  return state === null ? undefined : { state, status: statusBy(repositoryRoot)(state) };
}

/** Loops of one task file run below one lock, whose note names none of them. */
function statusBy(repositoryRoot: string): (state: LoopState) => string {
  let holder: ReturnType<typeof lockHolder> | undefined;
  return ({ loop_id: loopId, status, updated_at: updatedAt }) => {
    if (status !== 'running') return status;
    holder = holder === undefined ? lockHolder(repositoryRoot) : holder;
    const isOfTasks = holder?.loopId === TASKS && Date.parse(updatedAt) >= Date.parse(holder.since ?? '');
    return holder?.loopId === loopId || isOfTasks ? 'running' : 'interrupted';
  };
}

const TASKS = 'tasks';
