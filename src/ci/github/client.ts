import { messageOf } from '../../errors.ts';
import { unbelievable } from './answers.ts';
import type { Bounds } from './bounded-fetch.ts';
import { createCall, listAll, undefinedIfMissing } from './call.ts';
import { createConversation, type Conversation } from './conversation.ts';
import { readPull, type PullFacts } from './event.ts';
import { renderRepository, type RepositoryName } from './repository-name.ts';
import { MAX_BODY_CHARS } from './pull-request.ts';
import { createSignedCommits, type SignedCommits } from './signed-commit.ts';
import { createWorkflows, type Workflows } from './workflows.ts';

/** The calls of GitHub's REST API that ralph makes. Every method throws RalphError `github_failed` with a hint. */
export interface GitHub extends Workflows, Conversation, SignedCommits {
  readonly repository: RepositoryName;
  /** A pull request of this repository; undefined if the number is unknown. */
  pull(number: number): Promise<PullFacts | undefined>;
  /** Open pull requests whose head is a branch of this repository. */
  pullsOf(branch: string): Promise<PullFacts[]>;
  /** All open pull requests, at most 1,000, the newest first. */
  openPulls(): Promise<PullFacts[]>;
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

/** The part of a pull request in a list that is read here. */
interface ListedPull {
  readonly number: number;
  readonly html_url: string;
}

/** Options of `createGitHub`. */
export interface GitHubOptions {
  readonly repository: RepositoryName;
  /** Undefined: only public data can be read. */
  readonly token: string | undefined;
  /** `https://api.github.com`, or `GITHUB_API_URL`. */
  readonly apiUrl: string;
  readonly bounds?: Bounds | undefined;
  /** Called before the client waits for a rate limit to reset. */
  readonly warn?: (text: string) => void;
}

/** Creates a client for one repository. Requests that end with 5xx are repeated up to three times; rate limits are awaited up to 60 s. */
export function createGitHub(options: GitHubOptions): GitHub {
  const { repository } = options;
  const { owner, name: repo } = repository;
  const call = createCall(options);
  const own = renderRepository(repository);

  const openPulls = (head?: string, base?: string): Promise<unknown[]> =>
    listAll(call, 'GET /repos/{owner}/{repo}/pulls', {
      ...{ owner, repo, base, state: 'open' },
      head: head === undefined ? undefined : `${owner}:${head}`,
    });

  return {
    repository,
    ...createWorkflows(call, repository),
    ...createConversation(call, repository),
    ...createSignedCommits(call, repository),
    async pull(number) {
      const data = await undefinedIfMissing(
        call('GET /repos/{owner}/{repo}/pulls/{pull_number}', { owner, repo, pull_number: number }),
      );
      return data === undefined ? undefined : answeredPull(data, own);
    },
    async pullsOf(branch) {
      return (await openPulls(branch)).map((data) => answeredPull(data, own));
    },
    async openPulls() {
      return (await openPulls()).map((data) => answeredPull(data, own));
    },
    async permissionOf(username) {
      const data = await undefinedIfMissing(
        call('GET /repos/{owner}/{repo}/collaborators/{username}/permission', { owner, repo, username }),
      );
      // `maintain` is `write` here, and `triage` is `read`; a custom role counts as what it is based on.
      return (data as { permission: string } | undefined)?.permission ?? 'none';
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
        title: string;
        body?: string | null;
        user?: { login?: string } | null;
      };
      return { number, title, body: body ?? '', author: user?.login ?? 'ghost' };
    },
    async defaultBranch() {
      const { data } = await call('GET /repos/{owner}/{repo}', { owner, repo });
      return (data as { default_branch: string }).default_branch;
    },
    async upsertPull({ head, base, title, body, draft }) {
      const text = { owner, repo, title, body: body.slice(0, MAX_BODY_CHARS) };
      const find = async (): Promise<ListedPull | undefined> =>
        ((await openPulls(head, base)) as ListedPull[])[0];
      const update = async ({ number, html_url: url }: ListedPull, created: boolean): Promise<OpenedPull> => {
        await call('PATCH /repos/{owner}/{repo}/pulls/{number}', { ...text, number });
        return { number, url, created };
      };
      const open = await find();
      if (open !== undefined) return update(open, false);
      try {
        const { data } = await call('POST /repos/{owner}/{repo}/pulls', { ...text, head, base, draft });
        const { number, html_url: url } = data as ListedPull;
        return { number, url, created: true };
      } catch (error) {
        // The answer may be lost, and not the request; or another machine was faster.
        const made = await find().catch(() => undefined);
        if (made === undefined) throw error;
        return update(made, true);
      }
    },
  };
}

function answeredPull(data: unknown, repository: string): PullFacts {
  try {
    return readPull(data, repository);
  } catch (error) {
    throw unbelievable('GET', `/repos/${repository}/pulls`, messageOf(error));
  }
}
