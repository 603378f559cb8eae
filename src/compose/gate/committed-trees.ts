import { join, resolve } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { RALPH_FOLDER } from '../../platform/ralph-folder.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Repository } from '../../workspace/repository.ts';
import { importTree, treeOfCommit, type Imported } from '../../workspace/snapshots/import-tree.ts';
import { mergeKeepingOurs } from '../../workspace/snapshots/merge-trees.ts';
import { withNestedCommits } from '../../workspace/snapshots/nested-commits.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';
import type { ComparedTrees } from './answer.ts';

const ZEROS = /^0+$/;
/** A line of pre-push: `<local ref> <local id> <remote ref> <remote id>` (githooks(5)). */
const PUSH_LINE = /^\S+ ([0-9a-f]{40,64}) \S+ ([0-9a-f]{40,64})$/;

/** The tree of a commit with the files of its submodules, copied into ralph's snapshots. Throws RalphError if git fails. */
export async function committedTree(
  repository: Repository,
  snapshots: Snapshots,
  commit: string,
): Promise<TreeId> {
  const tree = await treeOfCommit(commit, { cwd: repository.root });
  if (tree === undefined)
    throw new RalphError(`The commit ${commit} cannot be read.`, {
      code: 'repository_unusable',
      exitCode: ExitCode.workspace,
      hint: 'git fsck',
    });
  return ownTree(repository, snapshots, { tree });
}

/**
 * The tree of the next commit, the commit that it is made on, and those that it merges. `indexFile`: GIT_INDEX_FILE of the
 * hook, if it is set.
 */
export function treesOfIndex(indexFile: string | undefined) {
  return async (repository: Repository, snapshots: Snapshots): Promise<ComparedTrees> => {
    const base = await withMerged(repository, snapshots, await committedTree(repository, snapshots, 'HEAD'));
    const own = indexFile === undefined ? {} : { indexFile: resolve(repository.packageStart, indexFile) };
    const written = await git(['write-tree'], { cwd: repository.root, ...own });
    const tree = written.toString('latin1').trim();
    const without = await treeOfCommit('HEAD', { cwd: repository.root });
    return { base, tree: await ownTree(repository, snapshots, { tree, ...(without && { without }) }) };
  };
}

/** A tree of HEAD with the changes of the commits that are being merged: they are not those of this commit. */
async function withMerged(repository: Repository, snapshots: Snapshots, head: TreeId): Promise<TreeId> {
  const named = textOf(join(repository.gitDir, 'MERGE_HEAD'));
  let tree = head;
  for (const commit of named.split('\n').filter((line) => line !== '')) {
    const joint = await runGit(['merge-base', 'HEAD', commit], { cwd: repository.root });
    if (joint.exitCode !== 0) continue;
    const base = await committedTree(repository, snapshots, joint.stdout.toString('latin1').trim());
    const theirs = await committedTree(repository, snapshots, commit);
    tree = (await mergeKeepingOurs({ snapshots, base, ours: tree, theirs })) ?? tree;
  }
  return tree;
}

/** The commit that a push would send, and the last one that the remote has of it. `lines`: standard input of pre-push. */
export function treesOfPush(lines: readonly string[]) {
  return async (repository: Repository, snapshots: Snapshots): Promise<ComparedTrees> => {
    const pushed = lines.flatMap((line) => {
      const [, local, remote] = PUSH_LINE.exec(line) ?? [];
      return local === undefined || ZEROS.test(local) ? [] : [{ local, remote: remote! }];
    });
    const [first] = pushed;
    if (first === undefined) {
      const tree = await committedTree(repository, snapshots, 'HEAD');
      return { base: tree, tree };
    }
    const base = await pushedBefore(repository, first.local, first.remote);
    return {
      base: await committedTree(repository, snapshots, base),
      tree: await committedTree(repository, snapshots, first.local),
    };
  };
}

/** Whether the standard input of a hook is that of pre-push. */
export function isPush(lines: readonly string[]): boolean {
  return lines.some((line) => PUSH_LINE.test(line));
}

/** The remote's commit; for a new branch, the last commit that any remote has; for the first push, the commit before. */
async function pushedBefore(repository: Repository, local: string, remote: string): Promise<string> {
  const isKnown = !ZEROS.test(remote) && (await has(repository, remote));
  if (isKnown) return remote;
  const fresh = await ask(repository, ['rev-list', '--reverse', local, '--not', '--remotes']);
  const oldest = fresh.split('\n')[0];
  if (oldest === undefined || oldest === '') return local;
  const before = [`${oldest}^`, `${local}^`];
  for (const commit of before) if (await has(repository, commit)) return commit;
  return local;
}

async function has({ root }: Repository, commit: string): Promise<boolean> {
  const { exitCode } = await runGit(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], {
    cwd: root,
  });
  return exitCode === 0;
}

/**
 * A tree of the user's repository in ralph's object store, with the files of its submodules. Ralph's own files, which may be
 * committed, are in no snapshot.
 */
async function ownTree(repository: Repository, snapshots: Snapshots, imported: Imported): Promise<TreeId> {
  const { tree } = imported;
  if (tree.length !== 40)
    throw new RalphError('The gate compares commits only in repositories with SHA-1 object names.', {
      code: 'repository_unusable',
      exitCode: ExitCode.workspace,
    });
  await importTree({ cwd: repository.root }, imported, snapshots.gitDir);
  const files = await snapshots.listFiles(tree);
  const own = files.filter(({ path }) => path.startsWith(`${RALPH_FOLDER}/`));
  const without = await snapshots.amend(
    tree,
    own.map(({ path }) => ({ path: Buffer.from(path) })),
  );
  return withNestedCommits(repository, snapshots, without);
}

async function ask({ root }: Repository, args: readonly string[]): Promise<string> {
  return (await git(args, { cwd: root })).toString('utf8').trim();
}
