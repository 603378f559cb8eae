import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { apiError, failureOf } from './api-error.ts';
import { readPull, type PullFacts } from './event.ts';
import { renderRepository, type RepositoryName } from './repository-name.ts';
import { MAX_BODY_CHARS } from './pull-request.ts';

/** The calls of GitHub's REST API that ralph makes. Every method throws RalphError `github_failed` with a hint. */
export interface GitHub {
  readonly repository: RepositoryName;
  /** A pull request of this repository; undefined if the number is unknown. */
  pull(number: number): Promise<PullFacts | undefined>;
  /** Open pull requests whose head is a branch of this repository. */
  pullsOf(branch: string): Promise<PullFacts[]>;
  /** `admin`, `maintain`, `write`, `triage`, `read` or `none`. */
  permissionOf(login: string): Promise<string>;
  /** True if the newest pull request from a branch was closed without being merged. */
  wasRejected(branch: string): Promise<boolean>;
  issue(number: number): Promise<Issue>;
  defaultBranch(): Promise<string>;
  /** Opens the pull request of a branch, or updates title and body of the open one: there is never a second. */
  upsertPull(request: PullRequest): Promise<OpenedPull>;
}

/** An issue as its author wrote it. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
}

/** Contents of a pull request to open or update. */
export interface PullRequest {
  /** Branch with the changes. */
  readonly head: string;
  /** Branch to merge into. */
  readonly base: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly draft: boolean;
}

/** A pull request that was opened or updated. */
export interface OpenedPull {
  readonly number: number;
  readonly url: string;
  /** False: an open pull request was updated. */
  readonly created: boolean;
}

/** Options of `createGitHub`. */
export interface GitHubOptions {
  readonly repository: RepositoryName;
  /** Undefined: only public data can be read. */
  readonly token: string | undefined;
  /** `https://api.github.com`, or `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** Called before the client waits for a rate limit to reset. */
  readonly warn?: (text: string) => void;
}

/** Longest wait for a rate limit; each request waits at most once. */
const MAX_WAIT_S = 60;
const PAGE_SIZE = 100;
const MAX_PAGES = 10;

const Client = Octokit.plugin(retry, throttling);

type Call = (
  route: string,
  parameters?: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: unknown }>;

/** Creates a client for one repository. Requests that end with 5xx are repeated up to three times; rate limits are awaited up to 60 s. */
export function createGitHub(options: GitHubOptions): GitHub {
  const { repository } = options;
  const { owner, name: repo } = repository;
  const call = createCall(options);
  const own = renderRepository(repository);

  const list = async (route: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { data } = await call(route, { ...parameters, per_page: PAGE_SIZE, page });
      const items = Array.isArray(data) ? (data as unknown[]) : [];
      all.push(...items);
      if (items.length < PAGE_SIZE) break;
    }
    return all;
  };
  const openPulls = (head: string, base?: string): Promise<unknown[]> =>
    list('GET /repos/{owner}/{repo}/pulls', {
      owner,
      repo,
      state: 'open',
      head: `${owner}:${head}`,
      base,
    });

  return {
    repository,
    async pull(number) {
      const data = await undefinedIfMissing(
        call('GET /repos/{owner}/{repo}/pulls/{number}', { owner, repo, number }),
      );
      return data === undefined ? undefined : readPull(data, own);
    },
    async pullsOf(branch) {
      return (await openPulls(branch)).map((data) => readPull(data, own));
    },
    async permissionOf(username) {
      const data = await undefinedIfMissing(
        call('GET /repos/{owner}/{repo}/collaborators/{username}/permission', { owner, repo, username }),
      );
      const { role_name: role, permission } = (data ?? {}) as { role_name?: string; permission?: string };
      return ['admin', 'maintain', 'write', 'triage', 'read'].includes(role ?? '')
        ? role!
        : (permission ?? 'none');
    },
    async wasRejected(branch) {
      const { data } = await call('GET /repos/{owner}/{repo}/pulls', {
        owner,
        repo,
        state: 'all',
        head: `${owner}:${branch}`,
        sort: 'created',
        direction: 'desc',
        per_page: 1,
      });
      const [newest] = data as { state?: string; merged_at?: string | null }[];
      return newest?.state === 'closed' && (newest.merged_at ?? null) === null;
    },
    async issue(number) {
      const { data } = await call('GET /repos/{owner}/{repo}/issues/{number}', { owner, repo, number });
      const { title, body, user } = data as {
        title?: string;
        body?: string | null;
        user?: { login?: string } | null;
      };
      return { number, title: title ?? '', body: body ?? '', author: user?.login ?? 'ghost' };
    },
    async defaultBranch() {
      const { data } = await call('GET /repos/{owner}/{repo}', { owner, repo });
      return (data as { default_branch: string }).default_branch;
    },
    async upsertPull({ head, base, title, body, draft }) {
      const bounded = body.slice(0, MAX_BODY_CHARS);
      const [open] = (await openPulls(head, base)) as { number: number }[];
      const { data } =
        open === undefined
          ? await call('POST /repos/{owner}/{repo}/pulls', {
              owner,
              repo,
              head,
              base,
              title,
              draft,
              body: bounded,
            })
          : await call('PATCH /repos/{owner}/{repo}/pulls/{number}', {
              owner,
              repo,
              number: open.number,
              title,
              body: bounded,
            });
      const { number, html_url: url } = data as { number: number; html_url: string };
      return { number, url, created: open === undefined };
    },
  };
}

function createCall({ token, apiUrl, warn = () => {} }: GitHubOptions): Call {
  const waitFor = (
    seconds: number,
    { method, url }: { method: string; url: string },
    count: number,
  ): boolean => {
    const isShort = seconds <= MAX_WAIT_S && count < 1;
    if (isShort) warn(`The rate limit for ${method} ${url} is used up; retrying in ${seconds} s.`);
    return isShort;
  };
  const client = new Client({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: 'ralph-reflexion',
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    throttle: {
      onRateLimit: (seconds, request, _octokit, count) => waitFor(seconds, request, count),
      onSecondaryRateLimit: (seconds, request, _octokit, count) => waitFor(seconds, request, count),
    },
  });
  return async (route, parameters) => {
    try {
      return await client.request(route, {
        ...parameters,
        headers: { 'x-github-api-version': '2022-11-28' },
      });
    } catch (error) {
      const { method, url } = client.request.endpoint(route, parameters);
      const path = new URL(url).pathname;
      throw apiError(
        { method, path, authenticated: token !== undefined },
        failureOf(error),
        withoutRequest(error),
      );
    }
  };
}

/** An error of octokit holds the request with the token in a header, so only its name is kept as the cause. */
function withoutRequest(error: unknown): unknown {
  return error instanceof Error ? error.name : undefined;
}

async function undefinedIfMissing(answer: Promise<{ readonly data: unknown }>): Promise<unknown> {
  try {
    return (await answer).data;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && / answered 404 /.test(error.message);
}
