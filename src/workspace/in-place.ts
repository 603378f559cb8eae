import type { Workspace } from '../ports.ts';
import type { TreeId } from '../ports/tree.ts';
import type { Repository } from './repository.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { treeWithFiles } from './snapshots/tree-with-files.ts';

export interface InPlaceOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Base of a resumed loop; if absent, the base is the user's tree now. */
  readonly base?: TreeId;
}

/**
 * The user's own tree as the workspace. Checkpoints are stored in ralph's git directory; the user's index, HEAD and refs
 * are never written. `restore` writes only files that differ, and no ignored file.
 */
export async function createInPlaceWorkspace(options: InPlaceOptions): Promise<Workspace> {
  const { repository, snapshots } = options;
  const { root } = repository;
  const base = options.base ?? (await snapshots.snapshot(root));
  return {
    root,
    base,
    checkpoint: () => snapshots.snapshot(root),
    async checkpointFiles(tree, files) {
      return treeWithFiles(snapshots, { tree, source: await snapshots.snapshot(root), files });
    },
    async restore(tree) {
      // The snapshot adds new files to ralph's index, so that restoring removes those that the tree does not have.
      await snapshots.snapshot(root);
      await snapshots.restoreTree(root, tree);
    },
    changes: (from, to) => snapshots.changes(from, to),
    close: async () => {},
  };
}
