import { existsSync } from 'node:fs';
import type { SessionStore } from '../../gate/session-store.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import type { TreeId } from '../../ports.ts';
import { pinnedLoops, pruneObjects, unpinTrees } from '../../workspace/snapshots/unpin-trees.ts';

/** Snapshots that belong to no session; the same name is used for the lock, since no loop runs. */
export const GATE_ID = 'ralph-gate';

interface ReleaseRequest {
  /** Absolute path of the repository. */
  readonly root: string;
  readonly store: SessionStore;
  /** The tree of the last check; its snapshot stays. */
  readonly kept?: TreeId;
  /** Also free the disk space, which takes longer. */
  readonly prunes?: boolean;
}

/**
 * Releases the snapshots of earlier checks, and the bases of sessions that are gone. The repository must be locked. Throws RalphError if
 * git fails.
 */
export async function releaseSnapshots({ root, store, kept, prunes }: ReleaseRequest): Promise<void> {
  const folder = ralphFolder(root);
  const gitDir = folder.snapshots();
  if (!existsSync(gitDir)) return;
  const bases = store.list().map(({ base_tree: tree }) => tree);
  const stay = new Set(kept === undefined ? bases : [...bases, kept]);
  const loops = await pinnedLoops(gitDir);
  const ours = loops.filter((id) => id.startsWith(GATE_ID) && !existsSync(folder.loop(id)));
  for (const id of ours) await unpinTrees(gitDir, id, stay);
  if (prunes === true) await pruneObjects(gitDir);
}
