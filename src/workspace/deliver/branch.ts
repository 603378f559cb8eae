import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { git, gitFailed, type GitRequest } from '../../platform/git/git.ts';
import { userGit } from '../../platform/git/user-git.ts';
import type { Repository } from '../repository.ts';
import { indexInfo, type Snapshots, type TreeEdit } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

export interface BranchRequest {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly loopId: string;
  /** Commit that the branch starts from. */
  readonly head: string;
  readonly message: string;
  readonly changes: readonly EntryChange[];
}

export interface ResultBranch {
  readonly branch: string;
  readonly commit: string;
}

/**
 * Commits changed files on a new branch `ralph/<loop-id>`, one commit on top of `head`. The commit is built in a separate
 * index: the user's files, index and HEAD are not touched. If the branch already has this result it is returned; if it has
 * another one, a number is added to the name. Throws RalphError `conflict` if git refuses the name.
 */
export async function makeBranch(request: BranchRequest): Promise<ResultBranch> {
  const { repository, loopId, head } = request;
  const cwd = repository.root;
  const tree = await writeResultTree(request);
  for (let number = 1; ; number++) {
    const branch = number === 1 ? `ralph/${loopId}` : `ralph/${loopId}-${number}`;
    const existing = await resolve(`refs/heads/${branch}^{commit}`, cwd);
    if (existing === undefined) return create(branch, await commitTree(tree, request), cwd);
    const sameTree = (await resolve(`${existing}^{tree}`, cwd)) === tree;
    if (sameTree && (await resolve(`${existing}^`, cwd)) === head) return { branch, commit: existing };
  }
}

/** Deletes a branch; false if it no longer points to ralph's commit. */
export async function deleteBranch({ branch, commit }: ResultBranch, cwd: string): Promise<boolean> {
  const args = ['update-ref', '-d', `refs/heads/${branch}`, commit];
  return (await userGit({ cwd }, (git) => git.raw(args))).ok;
}

async function create(branch: string, commit: string, cwd: string): Promise<ResultBranch> {
  // Unlike `git branch`, this fails if the branch has been created meanwhile at the same commit.
  const args = ['update-ref', `refs/heads/${branch}`, commit, ''];
  const answer = await userGit({ cwd }, (git) => git.raw(args));
  failpoint('branch.made', branch);
  if (answer.ok) return { branch, commit };
  const reason = answer.outcome.stderr.trim().slice(0, 500);
  throw new RalphError(`The branch ${branch} could not be created: ${reason}`, {
    code: 'conflict',
    exitCode: ExitCode.workspace,
    hint: 'A branch that is called ralph is in the way: git branch -m ralph another-name',
  });
}

async function writeResultTree({ repository, snapshots, head, changes }: BranchRequest): Promise<string> {
  const indexFile = join(snapshots.gitDir, `index-branch-${process.pid}`);
  const request: GitRequest = { cwd: repository.root, indexFile };
  const edits = await storeContents(repository.root, changes, snapshots);
  try {
    await git(['read-tree', head], request);
    await git(['update-index', '-z', '--index-info'], { ...request, input: indexInfo(edits, head.length) });
    return textOf(await git(['write-tree'], request));
  } finally {
    rmSync(indexFile, { force: true });
  }
}

/** Stores contents in the user's repository, through the user's filters (line ends, LFS), as `git add` does. */
async function storeContents(
  cwd: string,
  changes: readonly EntryChange[],
  snapshots: Snapshots,
): Promise<TreeEdit[]> {
  const contents = await snapshots.readBlobs(changes.flatMap(({ after }) => after?.id ?? []));
  const edits: TreeEdit[] = [];
  for (const { path, after } of changes) {
    if (after === undefined) {
      edits.push({ path });
      continue;
    }
    const name = path.toString('utf8');
    const isPlain = after.mode === SYMBOLIC_LINK || !Buffer.from(name).equals(path);
    const how = isPlain ? '--no-filters' : `--path=${name}`;
    const input = contents.get(after.id)!;
    const id = textOf(await git(['hash-object', '-w', '--stdin', how], { cwd, input }));
    edits.push({ path, entry: { mode: after.mode, id } });
  }
  return edits;
}

const RALPH_AS_AUTHOR = ['-c', 'user.name=ralph', '-c', 'user.email=ralph@localhost'];

/** Commits in the user's name, or in ralph's if git has no user name. */
async function commitTree(tree: string, { repository, head, message }: BranchRequest): Promise<string> {
  const request = { cwd: repository.root };
  const args = ['commit-tree', tree, '-p', head, '-m', message];
  const first = await userGit(request, (git) => git.raw(args));
  if (first.ok) return first.value.trim();
  if (!/identity|tell me who you are/i.test(first.outcome.stderr)) throw gitFailed(args, first.outcome);
  const second = await userGit(request, (git) => git.raw([...RALPH_AS_AUTHOR, ...args]));
  if (!second.ok) throw gitFailed(args, second.outcome);
  return second.value.trim();
}

async function resolve(name: string, cwd: string): Promise<string | undefined> {
  const answer = await userGit({ cwd }, (git) => git.revparse(['--verify', '--quiet', name]));
  return answer.ok ? answer.value : undefined;
}

function textOf(output: Buffer): string {
  return output.toString('latin1').trim();
}
