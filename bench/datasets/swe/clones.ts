import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usageError } from '../../../src/errors.ts';
import { runGit } from '../../../src/platform/git/git.ts';

/**
 * Absolute path of the local clone of `owner/name` in a folder of clones: `name`, `owner/name` or `owner__name`. Throws a
 * usage error if there is none.
 */
export function cloneOf(clones: string, repo: string): string {
  const [owner = '', name = ''] = repo.split('/');
  const candidates = [join(owner, name), `${owner}__${name}`, name].map((path) => resolve(clones, path));
  const found = candidates.find((path) => existsSync(join(path, '.git')) || existsSync(join(path, 'HEAD')));
  if (found !== undefined) return found;
  throw usageError(
    `--clones ${clones} has no clone of ${repo}.`,
    `git clone https://github.com/${repo} ${join(clones, name)}`,
  );
}

/** Whether a clone has a commit. */
export async function hasCommit(clone: string, commit: string): Promise<boolean> {
  const { exitCode } = await runGit(['cat-file', '-e', `${commit}^{commit}`], { cwd: clone });
  return exitCode === 0;
}
