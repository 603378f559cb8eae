import { tmpdir } from 'node:os';
import { endsWhenSilent } from '../../platform/git/remote.ts';
import { runGit } from '../../platform/git/git.ts';

const TIMEOUT_MS = 10_000;

/** The branch that the HEAD of a remote names; undefined if it cannot be asked, or names none. Never rejects. */
export async function findDefaultBranch(address: string, cwd = tmpdir()): Promise<string | undefined> {
  try {
    const { stdout } = await runGit(['ls-remote', '--symref', '--', address, 'HEAD'], {
      cwd,
      timeoutMs: TIMEOUT_MS,
      config: endsWhenSilent(TIMEOUT_MS),
    });
    return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout.toString('utf8'))?.[1];
  } catch {
    return undefined;
  }
}
