import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { userGit } from '../../platform/git/user-git.ts';

const NAMES = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** Names of the user's hooks that `git commit` would run in a repository; empty if git cannot tell. */
export async function commitHooks(root: string): Promise<string[]> {
  const answer = await userGit({ cwd: root, hooks: true }, (git) =>
    git.raw(['rev-parse', '--git-path', 'hooks']),
  );
  if (!answer.ok) return [];
  const folder = resolve(root, answer.value.replace(/\n$/, ''));
  return NAMES.filter((name) => isProgram(join(folder, name)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
