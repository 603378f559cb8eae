import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, splitNul } from '../../src/platform/git/git.ts';
import { dependencyFolders } from '../../src/workspace/dependencies/plan.ts';
import { linkDependencies } from '../../src/workspace/dependencies/link.ts';

/** Options of git for a commit by nobody in particular. */
export const IDENTITY = [
  '-c',
  'user.name=bench',
  '-c',
  'user.email=bench@example.invalid',
  '-c',
  'commit.gpgSign=false',
];

/**
 * Writes every file of a commit into `root` (absolute, empty) and returns their paths. The clone's index and work tree
 * are not changed.
 */
export async function writeCommit(clone: string, commit: string, root: string): Promise<string[]> {
  const indexFile = `${root}.index`;
  try {
    await git(['read-tree', commit], { cwd: clone, indexFile });
    await git(['checkout-index', '--all', '--force', `--prefix=${root}/`], { cwd: clone, indexFile });
    const listed = splitNul(await git(['ls-files', '-z'], { cwd: clone, indexFile }));
    return listed.map((path) => path.toString('utf8'));
  } finally {
    await rm(indexFile, { force: true });
  }
}

/** Makes `root` a repository with one commit of all its files, without history, and without `node_modules`. */
export async function commitAsFirst(root: string, message: string): Promise<void> {
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: root });
  await writeFile(join(root, '.git', 'info', 'exclude'), 'node_modules\n');
  // --force, because a repository may track files that its .gitignore lists.
  await git(['add', '--all', '--force', '--', '.', ':(exclude,glob)**/node_modules/**'], { cwd: root });
  await git([...IDENTITY, 'commit', '--quiet', '--no-verify', `--message=${message}`], { cwd: root });
}

/** Links the dependencies that are installed in `installed` into a checkout of the same files. Both absolute. */
export function linkInstalled(installed: string, root: string, files: readonly string[]): void {
  const folders = dependencyFolders(installed, files);
  linkDependencies({ repository: installed, workspace: root, files, folders });
}
