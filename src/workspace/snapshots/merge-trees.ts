import type { TreeId } from '../../ports.ts';
import { git, gitFailed, runGit, splitNul } from '../../platform/git/git.ts';
import type { Snapshots } from './snapshots.ts';

/** Both sides' changes in one tree, or the files (relative to the root) where they are in each other's way. */
export type Merge =
  | { readonly ok: true; readonly tree: TreeId }
  | { readonly ok: false; readonly conflicts: readonly string[] };

export interface MergeRequest {
  readonly snapshots: Snapshots;
  /** What both sides began with. */
  readonly base: TreeId;
  readonly ours: TreeId;
  readonly theirs: TreeId;
}

const NOBODY = ['-c', 'user.name=ralph', '-c', 'user.email=ralph@localhost'];

/**
 * Three-way merge of trees in ralph's own git directory; no file is touched. Throws RalphError where git cannot
 * (`merge-tree --write-tree` came with git 2.38).
 */
export async function mergeTrees({ snapshots, base, ours, theirs }: MergeRequest): Promise<Merge> {
  const own = { cwd: snapshots.gitDir, gitDir: snapshots.gitDir };
  const commit = async (tree: TreeId, parents: readonly string[]): Promise<string> => {
    const args = [...NOBODY, 'commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', 'merge'];
    return (await git(args, own)).toString('latin1').trim();
  };
  const root = await commit(base, []);
  const sides = [await commit(ours, [root]), await commit(theirs, [root])];
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides];
  const outcome = await runGit(args, own);
  const [tree, ...conflicts] = splitNul(outcome.stdout).map((item) => item.toString('utf8').trim());
  if (outcome.exitCode === 0) return { ok: true, tree: tree! };
  if (outcome.exitCode === 1)
    return { ok: false, conflicts: [...new Set(conflicts)].filter((path) => path !== '') };
  throw gitFailed(args, outcome);
}
