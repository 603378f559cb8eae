import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSessionStore } from '../gate/session-store.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import type { LoopState } from '../schema/generated.ts';
import { listLoops } from '../state/loops.ts';
import { readDelivery, type DeliveryRecord } from '../workspace/deliver/record.ts';
import {
  NOTHING_PRUNED,
  pruneSnapshots,
  type PinnedTree,
  type Pruned,
} from '../workspace/snapshots/prune.ts';

export interface OldTreesOptions {
  /** Keeps every tree of loops that were used in this time, unless they ended verified or unproven. Default 0. */
  readonly keepMs?: number;
  /** Looks at the objects only where a tree can be dropped: cheap at the end of each loop. Default false. */
  readonly onlyIfDropped?: boolean;
  /** Removes nothing. Default false. */
  readonly dryRun?: boolean;
}

/** States of loops that `ralph resume` continues. */
const UNFINISHED: readonly LoopState['status'][] = ['running', 'aborted', 'error', 'budget'];
/** End of the id of a loop or of a session. Other ids stand for commands that keep one tree, such as `ralph-evaluate`. */
const DATED = /-\d{8}-[0-9a-z]+$/;

/**
 * Removes the snapshots that no loop and no session of the gate needs. A loop that has ended keeps its first tree, its best, its
 * last, and those of its delivery; a loop that can be continued keeps all. The caller holds the repository's lock. Throws
 * RalphError if git fails.
 */
export async function pruneOldTrees(
  root: string,
  { keepMs = 0, ...options }: OldTreesOptions = {},
): Promise<Pruned> {
  const folder = ralphFolder(root);
  if (!existsSync(join(folder.snapshots(), 'HEAD'))) return NOTHING_PRUNED;
  const { loops } = await listLoops(root);
  const states = new Map(loops.map((state) => [state.loop_id, state]));
  const sessions = new Set(
    openSessionStore(root)
      .list()
      .map(({ loop_id: loopId }) => loopId),
  );
  const isNeeded = (pinned: PinnedTree, isNewest: boolean): boolean => {
    const { loopId } = pinned;
    const state = states.get(loopId);
    if (state !== undefined) return isNewest || isRecent(state, keepMs) || isNeededBy(state, pinned, root);
    // The state of a loop that has a folder is damaged, or it was killed before its first one.
    return sessions.has(loopId) || existsSync(folder.loop(loopId)) || (!DATED.test(loopId) && isNewest);
  };
  const pruned = await pruneSnapshots({ gitDir: folder.snapshots(), isNeeded, ...options });
  if (options.dryRun !== true)
    for (const loopId of pruned.loopIds) if (states.has(loopId)) writeFileSync(folder.pruned(loopId), '');
  return pruned;
}

/** `ralph resume` continues an exhausted or stalled loop too, with more attempts. */
function isRecent({ status, updated_at: updatedAt }: LoopState, keepMs: number): boolean {
  const isOver = status === 'passed' || status === 'nothing_to_do' || status === 'unproven';
  return !isOver && Date.now() - Date.parse(updatedAt) < keepMs;
}

function isNeededBy(state: LoopState, { tree }: PinnedTree, root: string): boolean {
  if (UNFINISHED.includes(state.status)) return true;
  if (tree === state.base_tree || tree === state.best_tree) return true;
  const delivery = deliveryOf(root, state.loop_id);
  return delivery === 'damaged' || tree === delivery?.base || tree === delivery?.tree;
}

function deliveryOf(root: string, loopId: string): DeliveryRecord | undefined | 'damaged' {
  try {
    return readDelivery(root, loopId);
  } catch {
    return 'damaged';
  }
}
