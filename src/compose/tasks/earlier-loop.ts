import type { DeliveryMode, TreeId } from '../../ports/tree.ts';
import type { LoopState, TaskNote } from '../../schema/generated.ts';
import { readResumableState } from '../../state/loops.ts';
import { originOf } from '../loop/origin.ts';

/** The loop that an earlier run of the list started for a task. */
export type EarlierLoop =
  | {
      readonly kind: 'unfinished';
      readonly loopId: string;
      readonly startedAt: string;
      readonly base: TreeId;
      readonly head: string | undefined;
    }
  /** Verified, but not marked in the task file, because the run ended in between. */
  | {
      readonly kind: 'verified';
      readonly loopId: string;
      readonly reason: string;
    };

/**
 * The earlier loop to continue with. Undefined if the task starts from the beginning: it has no loop, its loop ended
 * unverified or unproven, or the user has reopened it. Throws RalphError if the loop's state is damaged.
 */
export async function findEarlierLoop(
  repositoryRoot: string,
  note: TaskNote | undefined,
  delivery: DeliveryMode,
): Promise<EarlierLoop | undefined> {
  if (note === undefined || note.ticked) return undefined;
  const state = await readResumableState(repositoryRoot, note.loop_id);
  if (state === null) return undefined;
  if (state.status === 'passed' || state.status === 'nothing_to_do') return verified(state, delivery);
  if (['exhausted', 'stalled', 'unproven'].includes(state.status)) return undefined;
  const { loop_id: loopId, started_at: startedAt, base_tree: base } = state;
  return { kind: 'unfinished', loopId, startedAt, base, head: originOf(state).head };
}

/** Undefined for a result that was left on a branch because of a conflict: the task starts again. */
function verified({ loop_id: loopId, applied }: LoopState, delivery: DeliveryMode): EarlierLoop | undefined {
  if (applied === 'branch' && delivery !== 'branch') return undefined;
  return { kind: 'verified', loopId, reason: 'Its loop was verified in an earlier run.' };
}
