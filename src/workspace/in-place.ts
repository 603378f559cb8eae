import type { Workspace } from '../ports.ts';
import type { TreeId } from '../ports/tree.ts';
import type { Repository } from './repository.ts';
import { withNestedFiles } from './snapshots/nested-trees.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { treeWithFiles } from './snapshots/tree-with-files.ts';

export interface InPlaceOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Base of a resumed loop; if absent, the base is the user's tree now. */
  readonly base?: TreeId;
}

/** The user's own tree, which may have other repositories in it. */
export interface InPlaceWorkspace extends Workspace {
  /** Files of repositories in the tree that were edited or deleted since it was opened, relative to the root. */
  changedNested(): Promise<readonly string[]>;
}

/**
 * The user's own tree as the workspace. Checkpoints are stored in ralph's git directory; the user's index, HEAD and refs
 * are never written. `restore` writes only files that differ, no ignored file and none of a repository in the tree.
 */
export async function createInPlaceWorkspace(options: InPlaceOptions): Promise<InPlaceWorkspace> {
  const { repository, snapshots } = options;
  const { root } = repository;
  const base = options.base ?? (await snapshots.snapshot(root));
  const opened = await nestedFilesOf(repository, snapshots, options.base === undefined ? base : undefined);
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
    async changedNested() {
      if (opened.size === 0) return [];
      const now = await nestedFilesOf(repository, snapshots);
      return [...opened].filter(([path, entry]) => now.get(path) !== entry).map(([path]) => path);
    },
    close: async () => {},
  };
}

/** The files that repositories in the tree have, by path: mode and content as one text. */
async function nestedFilesOf(
  repository: Repository,
  snapshots: Snapshots,
  known?: TreeId,
): Promise<ReadonlyMap<string, string>> {
  const tree = known ?? (await snapshots.snapshot(repository.root));
  const whole = await withNestedFiles(snapshots, repository).snapshot(repository.root);
  if (whole === tree) return new Map();
  const own = new Set((await snapshots.listFiles(tree)).map(({ path }) => path));
  const nested = (await snapshots.listFiles(whole)).filter(({ path }) => !own.has(path));
  return new Map(nested.map(({ path, mode, id }) => [path, `${mode} ${id}`]));
}
