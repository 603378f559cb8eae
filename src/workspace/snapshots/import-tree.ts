import { join } from 'node:path';
import { git, runGit, type GitRequest } from '../../platform/git/git.ts';
import type { TreeId } from '../../ports/tree.ts';

/** A tree of another repository. */
export interface Imported {
  readonly tree: TreeId;
  /** A tree whose objects are there already. */
  readonly without?: string;
}

/** The tree of a commit, as it was stored: a reference in refs/replace could show another one. Undefined if there is none. */
export async function treeOfCommit(commit: string, from: GitRequest): Promise<TreeId | undefined> {
  const args = ['--no-replace-objects', 'rev-parse', '--verify', '--quiet', `${commit}^{tree}`];
  const { exitCode, stdout } = await runGit(args, from);
  return exitCode === 0 ? stdout.toString('latin1').trim() : undefined;
}

/** Packs a tree of another repository into the git directory `gitDir`, unless it is there. Throws RalphError if git fails. */
export async function importTree(
  from: GitRequest,
  { tree, without }: Imported,
  gitDir: string,
): Promise<void> {
  const found = await runGit(['ls-tree', '-r', '--name-only', tree], { cwd: gitDir, gitDir });
  if (found.exitCode === 0) return;
  const input = `${tree}\n${without === undefined ? '' : `^${without}\n`}`;
  const target = join(gitDir, 'objects', 'pack', 'pack');
  await git(['--no-replace-objects', 'pack-objects', '--revs', '-q', target], { ...from, input });
}
