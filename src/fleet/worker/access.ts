import { parseRemote } from '../../ci/github/repository-name.ts';
import { ExitCode, RalphError, usageError } from '../../errors.ts';
import type { RemoteAccess } from '../../platform/git/remote.ts';
import type { TakenJob } from '../queue/take.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The value of GITHUB_TOKEN or GH_TOKEN: the first that is not empty. */
export function gitHubToken(env: Env): string | undefined {
  return notEmpty(env.GITHUB_TOKEN) ?? notEmpty(env.GH_TOKEN);
}

/**
 * How a worker gets access to the repository of a job. The job names the address, so a token goes only to the server that
 * the worker has it for: GitHub's to GITHUB_SERVER_URL, or github.com; GitLab's to CI_SERVER_URL, or gitlab.com.
 */
export function accessOf(address: string, env: Env): RemoteAccess {
  if (hasOrigin(address, gitHubUrl(env))) return { url: address, token: gitHubToken(env) };
  const isOnGitLab = hasOrigin(address, env.CI_SERVER_URL ?? 'https://gitlab.com');
  return { url: address, token: isOnGitLab ? notEmpty(env.GITLAB_TOKEN) : undefined };
}

/** Throws RalphError, before anything is paid for, if this worker could not open the pull request that a job asks for. */
export function requirePullRequests({ address, repository, request }: TakenJob, env: Env): void {
  if (request.delivery !== 'pull-request') return;
  if (parseRemote(address)?.host !== new URL(gitHubUrl(env)).host)
    throw usageError(
      `No pull request can be opened: ${repository} is not a repository on GitHub.`,
      'Submit it with --deliver branch or bundle; for GitHub Enterprise, set GITHUB_SERVER_URL for ralph worker.',
    );
  if (gitHubToken(env) !== undefined) return;
  throw new RalphError(
    'The worker has no token to open a pull request with: neither GITHUB_TOKEN nor GH_TOKEN is set.',
    {
      code: 'github_failed',
      exitCode: ExitCode.usage,
      hint: 'Set one for ralph worker, then: ralph queue retry JOB. Or submit it with --deliver branch.',
    },
  );
}

function gitHubUrl({ GITHUB_SERVER_URL: url = 'https://github.com' }: Env): string {
  return url;
}

function hasOrigin(address: string, server: string): boolean {
  return (
    /^https?:\/\//.test(address) && URL.canParse(server) && new URL(address).origin === new URL(server).origin
  );
}

function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
