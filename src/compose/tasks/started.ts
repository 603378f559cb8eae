import type { DeliveryMode, TreeId } from '../../ports.ts';
import type { LoopState, TaskNote } from '../../schema/generated.ts';
import { readResumableState } from '../../state/loops.ts';
import { originOf } from '../origin.ts';

/** What an earlier run left of a task. */
export type Started =
  | {
      readonly kind: 'unfinished';
      readonly loopId: string;
      readonly startedAt: string;
      readonly base: TreeId;
      readonly head: string | undefined;
    }
  /** Verified, and not marked in the file: the run ended in between. */
  | {
      readonly kind: 'ended';
      readonly loopId: string;
      readonly status: 'verified';
      readonly reason: string;
    };

/**
 * The loop to go on with; undefined where a task is to be done from the beginning: none was begun, it ended
 * unverified, or it was done and the user has opened it again. Throws RalphError where its state is damaged.
 */
export async function findStarted(
  repositoryRoot: string,
  note: TaskNote | undefined,
  delivery: DeliveryMode,
): Promise<Started | undefined> {
  if (note === undefined || note.ticked) return undefined;
  const state = await readResumableState(repositoryRoot, note.loop_id);
  if (state === null) return undefined;
  if (state.status === 'passed' || state.status === 'nothing_to_do') return ended(state, delivery);
  if (state.status === 'exhausted' || state.status === 'stalled') return undefined;
  const { loop_id: loopId, started_at: startedAt, base_tree: base } = state;
  return { kind: 'unfinished', loopId, startedAt, base, head: originOf(state).head };
}

/** A conflict is the user's to settle; until then the task is done anew. */
function ended({ loop_id: loopId, applied }: LoopState, delivery: DeliveryMode): Started | undefined {
  if (applied === 'branch' && delivery !== 'branch') return undefined;
  return { kind: 'ended', loopId, status: 'verified', reason: 'Its loop had ended verified before.' };
}
