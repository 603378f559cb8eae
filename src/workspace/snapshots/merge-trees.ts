import type { TreeId } from '../../ports/tree.ts';
import { git, gitFailed, runGit, splitNul } from '../../platform/git/git.ts';
import type { Snapshots } from './snapshots.ts';

/** The merged tree, or the conflicting files, relative to the root. */
export type Merge =
  | { readonly ok: true; readonly tree: TreeId }
  | { readonly ok: false; readonly conflicts: readonly string[] };

export interface MergeRequest {
  readonly snapshots: Snapshots;
  /** Common ancestor of both sides. */
  readonly base: TreeId;
  readonly ours: TreeId;
  readonly theirs: TreeId;
}

/** Identity for commits that are never kept. */
const IDENTITY = ['-c', 'user.name=ralph', '-c', 'user.email=ralph@localhost'];

/**
 * Merges two trees by a three-way merge in ralph's git directory; no work tree is touched. Throws RalphError if git fails:
 * `merge-tree --write-tree` needs git 2.38.
 */
export async function mergeTrees({ snapshots, base, ours, theirs }: MergeRequest): Promise<Merge> {
  const own = { cwd: snapshots.gitDir, gitDir: snapshots.gitDir };
  const commit = async (tree: TreeId, parents: readonly string[]): Promise<string> => {
    const args = [...IDENTITY, 'commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', 'merge'];
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

/** Merges two trees; files that both sides changed in the same places stay as they are in `ours`. Undefined if that is not possible. */
export async function mergeKeepingOurs(request: MergeRequest): Promise<TreeId | undefined> {
  const { snapshots, base, theirs } = request;
  const first = await mergeTrees(request);
  if (first.ok) return first.tree;
  const then = new Map((await snapshots.listFiles(base)).map((file) => [file.path, file]));
  const edits = first.conflicts.map((path) => {
    const entry = then.get(path);
    return { path: Buffer.from(path), ...(entry && { entry: { mode: entry.mode, id: entry.id } }) };
  });
  const second = await mergeTrees({ ...request, theirs: await snapshots.amend(theirs, edits) });
  return second.ok ? second.tree : undefined;
}
