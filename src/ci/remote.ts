import { usageError } from '../errors.ts';
import type { GitHub } from './github/client.ts';
import { parseRemote, parseRepository, type RepositoryName } from './github/repository-name.ts';
import { findRepositoryRoot } from '../platform/repository-root.ts';
import { userGit } from '../platform/git/user-git.ts';
import type { RemoteAccess } from '../platform/git/remote.ts';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The repository that ralph pushes to, with a GitHub client if it is on GitHub. */
export interface CiRemote {
  readonly access: RemoteAccess;
  /** Undefined: the remote is not on GitHub, or there is no token and none is needed. */
  readonly github: GitHub | undefined;
  readonly repository: RepositoryName | undefined;
  /** URL of this Actions run; undefined outside Actions. */
  readonly runUrl: string | undefined;
  /** The workflow that runs, as `GITHUB_WORKFLOW_REF` names it; undefined outside Actions. */
  readonly workflow: WorkflowPlace | undefined;
}

/** A workflow file, and the branch that it ran from. */
export interface WorkflowPlace {
  /** File name: `ralph.yml`. */
  readonly workflow: string;
  /** Branch: `main`. */
  readonly ref: string;
}

/** Options of `openCiRemote`. */
export interface CiRemoteOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** URL or path of the repository to push to; default: GITHUB_REPOSITORY on GITHUB_SERVER_URL, or the remote origin. */
  readonly remote?: string | undefined;
  /** False: without a token GitHub is not called. Default true. */
  readonly needsToken?: boolean | undefined;
  /** `performance.now()` at which the time of the step is over: GitHub is not called any more, and git gets little time. */
  readonly endsAt?: number | undefined;
  /** Called before the client waits for a rate limit to reset. */
  readonly warn: (text: string) => void;
}

const GITHUB = 'https://github.com';
/** Time of `ralph ci plan` and `publish`; the jobs of the docs end after 10 minutes. */
export const STEP_MS = 6 * 60_000;

/** Finds the remote, the token and GitHub. Throws a usage error if there is no remote, or no token for GitHub. */
export async function openCiRemote({
  cwd,
  env,
  remote,
  needsToken = true,
  endsAt,
  warn,
}: CiRemoteOptions): Promise<CiRemote> {
  const token = findToken(env);
  const url = remote ?? actionsUrl(env) ?? (await originUrl(cwd));
  const server = env.GITHUB_SERVER_URL ?? GITHUB;
  const repository = findRepository(url, server, env);
  const found = {
    access: { url, token, endsAt },
    repository,
    runUrl: runUrl(env),
    workflow: workflowOf(env),
  };
  if (repository === undefined || (token === undefined && !needsToken))
    return { ...found, github: undefined };
  if (token === undefined) throw missingToken(repository);
  return { ...found, github: await openGitHub({ repository, token, env, endsAt, warn }) };
}

/** Creates the GitHub client of a repository. Octokit is imported here, because few commands need it. */
export async function openGitHub({
  repository,
  token,
  env,
  endsAt,
  warn,
}: {
  readonly repository: RepositoryName;
  readonly token: string | undefined;
  readonly env: Environment;
  readonly endsAt?: number | undefined;
  readonly warn: (text: string) => void;
}): Promise<GitHub> {
  const { createGitHub } = await import('./github/client.ts');
  return createGitHub({ repository, token, apiUrl: apiUrl(env), bounds: { endsAt }, warn });
}

/** The value of `GITHUB_TOKEN`, `GH_TOKEN` or, for GitLab, `GITLAB_TOKEN`: the first that is not empty. */
export function findToken(env: Environment): string | undefined {
  return [env.GITHUB_TOKEN, env.GH_TOKEN, env.GITLAB_TOKEN].find(
    (token) => token !== undefined && token !== '',
  );
}

function actionsUrl({
  GITHUB_REPOSITORY: repository,
  GITHUB_SERVER_URL: server = GITHUB,
}: Environment): string | undefined {
  if (repository === undefined || repository === '') return undefined;
  if (parseRepository(repository) === undefined)
    throw usageError(`GITHUB_REPOSITORY is ${JSON.stringify(repository)}, not owner/name.`);
  return `${server.replace(/\/+$/, '')}/${repository}.git`;
}

async function originUrl(cwd: string): Promise<string> {
  const root = findRepositoryRoot(cwd);
  const url = await userGit({ cwd: root }, (git) => git.raw(['remote', 'get-url', '--push', 'origin']));
  if (url.ok) return url.value.trim();
  throw usageError(
    `${root} has no remote "origin" to push to.`,
    'Add it (git remote add origin URL), or name one with --remote URL.',
  );
}

/** GITHUB_REPOSITORY in Actions; otherwise read from the remote's URL, if its host is that of GITHUB_SERVER_URL. */
function findRepository(url: string, server: string, env: Environment): RepositoryName | undefined {
  const fromActions = parseRepository(env.GITHUB_REPOSITORY ?? '');
  if (fromActions !== undefined) return fromActions;
  const fromUrl = parseRemote(url);
  return fromUrl?.host === new URL(server).host ? fromUrl.repository : undefined;
}

function apiUrl({ GITHUB_API_URL: api, GITHUB_SERVER_URL: server = GITHUB }: Environment): string {
  if (api !== undefined && api !== '') {
    if (URL.canParse(api) && /^https?:$/.test(new URL(api).protocol)) return api;
    throw usageError(
      `GITHUB_API_URL is ${JSON.stringify(api)}, not an http or https URL.`,
      'For example https://api.github.com',
    );
  }
  const { host, origin } = new URL(server);
  return host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
}

function runUrl({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: id,
}: Environment): string | undefined {
  return server === undefined || repository === undefined || !/^\d+$/.test(id ?? '')
    ? undefined
    : `${server}/${repository}/actions/runs/${id}`;
}

/** `octo-org/shop/.github/workflows/ralph.yml@refs/heads/main`. */
function workflowOf({ GITHUB_WORKFLOW_REF: place = '' }: Environment): WorkflowPlace | undefined {
  const [, workflow, ref] = /\/([^/@]+\.ya?ml)@refs\/heads\/(.+)$/.exec(place) ?? [];
  return workflow === undefined || ref === undefined ? undefined : { workflow, ref };
}

function missingToken({ owner, name }: RepositoryName): Error {
  return usageError(
    `There is no token for ${owner}/${name}: neither GITHUB_TOKEN nor GH_TOKEN is set.`,
    'In Actions: env: GITHUB_TOKEN: ${{ github.token }}. Elsewhere: export GITHUB_TOKEN=$(gh auth token), or --no-pull-request.',
  );
}
