import { runGit } from '../../platform/git/git.ts';
import type { Repository } from '../../workspace/repository.ts';

/** Whether all of these commits are in the history of the known ones. */
export async function areAllIn(
  commits: readonly string[],
  known: readonly string[],
  { root }: Repository,
): Promise<boolean> {
  const input = [...commits, ...known.map((id) => `^${id}`), ''].join('\n');
  return (await ask(['rev-list', '-n1', '--ignore-missing', '--stdin'], root, input))?.length === 0;
}

/** Whether a commit is in the history of another one, or is that one. */
export async function isAncestor(id: string, of: string, root: string): Promise<boolean> {
  return (await ask(['merge-base', '--is-ancestor', id, of], root)) !== undefined;
}

/** The lines that git prints, by the commits as they were made; undefined if it fails. */
export async function ask(
  args: readonly string[],
  cwd: string,
  input?: string,
): Promise<string[] | undefined> {
  const plain = ['--no-replace-objects', '-c', 'core.commitGraph=false', ...args];
  const { exitCode, stdout } = await runGit(plain, { cwd, ...(input !== undefined && { input }) });
  if (exitCode !== 0) return undefined;
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}
