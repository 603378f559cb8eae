import { existsSync } from 'node:fs';
import { removeUnused, type SessionStore } from '../../gate/session-store.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import type { TreeId } from '../../ports/tree.ts';
import { pruneObjects, unpinTrees } from '../../workspace/snapshots/unpin-trees.ts';
import { GATE_ID } from './gate-id.ts';

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
 * Removes sessions that were not used for a month; releases the snapshots of earlier checks, and the bases of sessions that are
 * gone. The repository must be locked. Throws RalphError if git fails.
 */
export async function releaseSnapshots({ root, store, kept, prunes }: ReleaseRequest): Promise<void> {
  removeUnused(store);
  const folder = ralphFolder(root);
  const gitDir = folder.snapshots();
  if (!existsSync(gitDir)) return;
  const bases = store.list().map(({ base_tree: tree }) => tree);
  const stay = new Set(kept === undefined ? bases : [...bases, kept]);
  const isOurs = (id: string): boolean => id.startsWith(GATE_ID) && !existsSync(folder.loop(id));
  await unpinTrees(gitDir, isOurs, stay);
  if (prunes === true) await pruneObjects(gitDir);
}
