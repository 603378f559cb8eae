import { runGit } from '../platform/git/git.ts';
import type { Repository } from './repository.ts';

const NAMES = '^(core\\.|extensions\\.objectformat$|remote\\..*\\.url$)';

const known = new WeakMap<Repository, Promise<readonly string[]>>();

/**
 * The user's settings of git for the core, the object format and the remotes, as lines `<name> <value>`, in git's order: of
 * two for one name the last one counts. Read once for an opened repository; empty if git fails.
 */
export function readUserConfig(repository: Repository): Promise<readonly string[]> {
  const found = known.get(repository) ?? list(repository.root);
  known.set(repository, found);
  return found;
}

/** Lets a copy of an opened repository know what was read for it. */
export function shareUserConfig(repository: Repository, copy: Repository): void {
  const found = known.get(repository);
  if (found !== undefined) known.set(copy, found);
}

async function list(root: string): Promise<readonly string[]> {
  const { stdout } = await runGit(['config', '--get-regexp', NAMES], { cwd: root });
  return stdout.toString('utf8').split('\n');
}
