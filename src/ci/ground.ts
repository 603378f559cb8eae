import { readFileSync } from 'node:fs';
import { usageError, messageOf } from '../errors.ts';
import type { CiSettings } from './github/rules.ts';
import { parseEvent, type CiEvent } from './github/event.ts';
import type { GitHub } from './github/client.ts';
import { parseRemote, parseRepository, type RepositoryName } from './github/names.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { findRepositoryRoot } from '../platform/repository-root.ts';
import { userGit } from '../platform/git/user-git.ts';
import type { RemoteAccess } from '../platform/git/remote.ts';

export type { CiSettings };

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the job works: the repository that it pushes to, and GitHub where that is one of GitHub's. */
export interface CiPlace {
  readonly remote: RemoteAccess;
  /** Undefined: not on GitHub, or pull requests are not wanted. */
  readonly github: GitHub | undefined;
  readonly repository: RepositoryName | undefined;
  /** Page of this run of Actions; undefined elsewhere. */
  readonly runUrl: string | undefined;
}

export interface PlaceRequest {
  readonly cwd: string;
  readonly env: Environment;
  /** URL or path of the repository to push to; default: GITHUB_REPOSITORY on GITHUB_SERVER_URL, or the remote origin. */
  readonly remote?: string | undefined;
  /** False: nothing is asked of GitHub. Default true. */
  readonly pullRequests?: boolean | undefined;
  readonly warn: (text: string) => void;
}

const GITHUB = 'https://github.com';
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/** Finds remote, token and GitHub. Throws a usage error where there is no remote, or no token for GitHub. */
export async function openPlace({
  cwd,
  env,
  remote,
  pullRequests = true,
  warn,
}: PlaceRequest): Promise<CiPlace> {
  const token = tokenOf(env);
  const url = remote ?? urlOfActions(env) ?? (await originOf(cwd));
  const server = env.GITHUB_SERVER_URL ?? GITHUB;
  const repository = repositoryOf(url, server, env);
  const place = { remote: { url, token }, repository, runUrl: runUrlOf(env) };
  if (!pullRequests || repository === undefined) return { ...place, github: undefined };
  if (token === undefined) throw noToken(repository);
  return { ...place, github: await openGitHub({ repository, token, env, warn }) };
}

/** The REST API of a repository; its library is loaded here. */
export async function openGitHub({
  repository,
  token,
  env,
  warn,
}: {
  readonly repository: RepositoryName;
  readonly token: string | undefined;
  readonly env: Environment;
  readonly warn: (text: string) => void;
}): Promise<GitHub> {
  const { createGitHub } = await import('./github/client.ts');
  return createGitHub({ repository, token, apiUrl: apiUrlOf(env), warn });
}

/** `GITHUB_TOKEN`, `GH_TOKEN` or, for GitLab, `GITLAB_TOKEN`. */
export function tokenOf(env: Environment): string | undefined {
  return [env.GITHUB_TOKEN, env.GH_TOKEN, env.GITLAB_TOKEN].find(
    (token) => token !== undefined && token !== '',
  );
}

/** The event that the job is for: that of Actions, or `manual` for a branch that was named. Throws a usage error. */
export function readEvent(
  env: Environment,
  { branch, task }: { readonly branch: string | undefined; readonly task: string | undefined },
): CiEvent {
  if (branch !== undefined) return { kind: 'manual', branch, task };
  const { GITHUB_EVENT_NAME: name = '', GITHUB_EVENT_PATH: path = '' } = env;
  if (name === '' || path === '')
    throw usageError(
      'There is no event: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set.',
      'Outside GitHub Actions, name the branch that fails: ralph ci plan --branch main',
    );
  const source = { name, repository: env.GITHUB_REPOSITORY ?? '', ref: env.GITHUB_REF ?? '' };
  const event = parseEvent(readPayload(path), source);
  if (typeof event !== 'string') return event;
  throw usageError(`The ${name} event in GITHUB_EVENT_PATH (${path}) cannot be used: ${event}.`);
}

/** A setting of the job that may be missing becomes the default. */
export const CI_DEFAULTS = {
  label: 'ralph',
  optOutLabel: 'no-ralph',
  maxTries: 3,
  branchPrefix: 'ralph/fix-',
  memoryBranch: 'ralph/memory',
  lockMs: 7_200_000,
} as const satisfies Partial<CiSettings>;

function readPayload(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8');
    return parseBoundedJson(text, { maxChars: MAX_EVENT_BYTES });
  } catch (error) {
    throw usageError(`GITHUB_EVENT_PATH ${path} cannot be read: ${messageOf(error)}`);
  }
}

function urlOfActions({
  GITHUB_REPOSITORY: repository,
  GITHUB_SERVER_URL: server = GITHUB,
}: Environment): string | undefined {
  if (repository === undefined || repository === '') return undefined;
  if (parseRepository(repository) === undefined)
    throw usageError(`GITHUB_REPOSITORY is ${JSON.stringify(repository)}, which is no owner/name.`);
  return `${server.replace(/\/+$/, '')}/${repository}.git`;
}

async function originOf(cwd: string): Promise<string> {
  const root = findRepositoryRoot(cwd);
  const url = await userGit({ cwd: root }, (git) => git.raw(['remote', 'get-url', '--push', 'origin']));
  if (url.ok) return url.value.trim();
  throw usageError(
    `${root} has no remote "origin" to push to.`,
    'Add it (git remote add origin URL), or name one with --remote URL.',
  );
}

/** In Actions it is told; elsewhere the remote's address says it, where that is GitHub's or the host of GITHUB_SERVER_URL. */
function repositoryOf(url: string, server: string, env: Environment): RepositoryName | undefined {
  const told = parseRepository(env.GITHUB_REPOSITORY ?? '');
  if (told !== undefined) return told;
  const found = parseRemote(url);
  return found?.host === new URL(server).host ? found.repository : undefined;
}

function apiUrlOf({ GITHUB_API_URL: api, GITHUB_SERVER_URL: server = GITHUB }: Environment): string {
  if (api !== undefined && api !== '') {
    if (URL.canParse(api) && /^https?:$/.test(new URL(api).protocol)) return api;
    throw usageError(
      `GITHUB_API_URL is ${JSON.stringify(api)}, which is no address.`,
      'Such as https://api.github.com',
    );
  }
  const { host, origin } = new URL(server);
  return host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
}

function runUrlOf({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: id,
}: Environment): string | undefined {
  return server === undefined || repository === undefined || !/^\d+$/.test(id ?? '')
    ? undefined
    : `${server}/${repository}/actions/runs/${id}`;
}

function noToken({ owner, name }: RepositoryName): Error {
  return usageError(
    `There is no token for ${owner}/${name}: neither GITHUB_TOKEN nor GH_TOKEN is set.`,
    'In Actions: env: GITHUB_TOKEN: ${{ github.token }}. Elsewhere: export GITHUB_TOKEN=$(gh auth token), or --no-pull-request.',
  );
}
