import type { TreeId } from '../../ports/tree.ts';
import type { Snapshots } from './snapshots.ts';

/** A tree, and some files of another tree. */
export interface TakenFiles {
  readonly tree: TreeId;
  readonly source: TreeId;
  /** Paths relative to the root; a file that `source` does not have is removed. */
  readonly files: readonly string[];
}

/** The tree with some files as another tree has them. */
export async function treeWithFiles(
  snapshots: Snapshots,
  { tree, source, files }: TakenFiles,
): Promise<TreeId> {
  const changes = files.length === 0 ? [] : await snapshots.entryChanges(source, tree);
  const edits = changes
    .filter(({ path }) => files.includes(path.toString('utf8')))
    .map(({ path, before }) => (before === undefined ? { path } : { path, entry: before }));
  return edits.length === 0 ? tree : snapshots.amend(tree, edits);
}
