import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { fetchMirror, type RemoteAccess } from '../../platform/git/remote.ts';
import { findDefaultBranch } from '../queue/default-branch.ts';
import type { WorkerPlace } from './place.ts';

export interface CheckoutRequest {
  readonly place: WorkerPlace;
  readonly access: RemoteAccess;
  /** Branch or tag; empty: the remote's default branch. */
  readonly ref: string;
  /** Commit that an earlier machine started from; null: the present one of the ref. */
  readonly base: string | null;
  /** Absolute path of the checkout, which does not exist yet. */
  readonly target: string;
}

/** A checkout of a job's repository, with the objects of the machine's mirror. */
export interface Checkout {
  /** Commit that is checked out. */
  readonly base: string;
  /** Name of the branch. */
  readonly branch: string;
}

/** Brings the mirror up to date and checks out the commit of a job. Throws RalphError. */
export async function checkOut({ place, access, ref, base, target }: CheckoutRequest): Promise<Checkout> {
  const mirror = place.mirror(access.url);
  const found = await place.exclusive(`mirror-${access.url}`, async () => {
    if (!existsSync(join(mirror, 'HEAD')))
      await git(['init', '--quiet', '--bare', '--template=', mirror], { cwd: place.root });
    if (base === null || !(await hasCommit(mirror, base))) await fetchMirror(mirror, access);
    return resolveRef(mirror, { access, ref, base });
  });
  await git(['clone', '--quiet', '--shared', '--no-checkout', '--template=', mirror, target], {
    cwd: place.root,
  });
  await git(['checkout', '--quiet', '-B', found.branch, found.base], { cwd: target });
  await git(['remote', 'set-url', 'origin', access.url], { cwd: target });
  return found;
}

async function resolveRef(
  mirror: string,
  { access, ref, base }: Pick<CheckoutRequest, 'access' | 'ref' | 'base'>,
): Promise<Checkout> {
  const branch = ref === '' ? await defaultBranch(mirror, access) : ref;
  if (base !== null) {
    if (await hasCommit(mirror, base)) return { base, branch: branchName(branch) };
    throw unusable(
      `The commit ${base}, which the job started from, is not in ${access.url} any more.`,
      'Submit the task again: it starts from the present commit of the branch.',
    );
  }
  for (const name of [`refs/heads/${branch}`, `refs/tags/${branch}`, branch]) {
    const { exitCode, stdout } = await runGit(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
      {
        cwd: mirror,
      },
    );
    if (exitCode === 0) return { base: stdout.toString('latin1').trim(), branch: branchName(branch) };
  }
  throw unusable(`${access.url} has no branch or tag "${branch}".`, 'Name another one with --ref.');
}

/** The branch that the remote's HEAD names; a mirror does not follow it. */
async function defaultBranch(mirror: string, { url }: RemoteAccess): Promise<string> {
  const named = await findDefaultBranch(url, mirror);
  if (named !== undefined) return named;
  const { stdout } = await runGit(
    [
      'for-each-ref',
      '--count=1',
      '--format=%(refname:short)',
      'refs/heads/main',
      'refs/heads/master',
      'refs/heads',
    ],
    { cwd: mirror },
  );
  const first = stdout.toString('utf8').trim();
  if (first !== '') return first;
  throw unusable(`${url} has no branch with a commit.`, 'Push a commit first.');
}

async function hasCommit(mirror: string, commit: string): Promise<boolean> {
  return (await runGit(['cat-file', '-e', `${commit}^{commit}`], { cwd: mirror })).exitCode === 0;
}

/** A tag or a commit is checked out on a branch of its own. */
function branchName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

function unusable(message: string, hint: string): RalphError {
  return new RalphError(message, { code: 'repository_unusable', exitCode: ExitCode.workspace, hint });
}
