/** A loopback server that speaks the part of GitHub's REST API that ralph uses; its state is what the test sees. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execaSync } from 'execa';
import { afterAll, expect } from 'vitest';
import { answerWith, problemsOfAnswer, problemsOfRequest } from './description.ts';
import { writeGitObject } from './git-data.ts';

export interface FakePull {
  number: number;
  state: 'open' | 'closed';
  merged_at: string | null;
  title: string;
  body: string;
  draft: boolean;
  labels: string[];
  /** `owner:branch` is made of it; null: the fork was deleted. */
  headRepository: string | null;
  headBranch: string;
  headSha: string;
  base: string;
  /** Login and type of the author. */
  author: { login: string; type: string };
  reviewers: string[];
}

export interface FakeComment {
  readonly id: number;
  readonly pull: number;
  body: string;
  login: string;
}

/** A run of a workflow, with its failed jobs and their logs. */
export interface FakeRun {
  readonly id: number;
  readonly name: string;
  readonly head: string;
  readonly conclusion: string | null;
  readonly number?: number;
  readonly jobs?: readonly { readonly name: string; readonly step: string; readonly log?: string }[];
}

export interface Dispatched {
  readonly workflow: string;
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

export interface FakeIssue {
  number: number;
  title: string;
  body: string | null;
  login: string;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What the next requests get instead of an answer, in order. */
export interface Fault {
  readonly status: number;
  /** A text is no JSON: a page of a proxy, for example. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only for paths that hold this text. */
  readonly path?: string;
  /** Only for requests of this method. */
  readonly method?: string;
  /** The connection is cut instead. */
  readonly cut?: boolean;
  /** The request is carried out all the same. */
  readonly late?: boolean;
}

export interface GitHubServer {
  readonly url: string;
  readonly repository: string;
  readonly token: string;
  readonly pulls: FakePull[];
  readonly issues: FakeIssue[];
  /** By login. */
  readonly permissions: Map<string, string>;
  readonly comments: FakeComment[];
  readonly runs: FakeRun[];
  /** Runs of workflows that were asked for. */
  readonly dispatched: Dispatched[];
  readonly asked: Asked[];
  readonly faults: Fault[];
  /** Requests and answers that GitHub's description refuses. The test file fails if there is one. */
  readonly violations: string[];
  /** Items on a page at most, whatever is asked for. */
  pageSize: number;
  defaultBranch: string;
  addPull(pull: Partial<FakePull> & Pick<FakePull, 'headBranch'>): FakePull;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly repository?: string;
  /** Bare repository whose branches the pull requests are of. */
  readonly bare?: string;
}

const open: GitHubServer[] = [];

afterAll(async () => {
  for (const server of open.splice(0)) {
    await server.close();
    expect(server.violations).toEqual([]);
  }
});

/** Starts a server that goes with the test file. */
export async function startGitHub({
  repository = 'octo-org/shop',
  bare,
}: ServerOptions = {}): Promise<GitHubServer> {
  const state: Omit<GitHubServer, 'url' | 'close'> = {
    repository,
    token: 'ghs_loopback0123456789abcdefghijklmnopqr',
    pulls: [],
    issues: [],
    permissions: new Map(),
    comments: [],
    runs: [],
    dispatched: [],
    violations: [],
    asked: [],
    faults: [],
    pageSize: 100,
    defaultBranch: 'main',
    addPull(pull) {
      const made: FakePull = {
        ...{ number: state.pulls.length + 1, state: 'open', merged_at: null, title: 'a change', body: '' },
        ...{ draft: false, labels: [], headRepository: repository, headSha: '0'.repeat(40), base: 'main' },
        ...{ author: { login: 'octocat', type: 'User' }, reviewers: [] },
        ...pull,
      };
      state.pulls.push(made);
      return made;
    },
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => answer(request, response, { body, state, bare }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const running = Object.assign(state, { url, close }) as GitHubServer;
  open.push(running);
  return running;
}

interface Ground {
  readonly body: unknown;
  readonly state: Omit<GitHubServer, 'url' | 'close'>;
  readonly bare: string | undefined;
}

function answer(request: IncomingMessage, response: ServerResponse, ground: Ground): void {
  const { state, body } = ground;
  const url = new URL(request.url ?? '/', 'http://loopback');
  const { authorization } = request.headers;
  state.asked.push({ method: request.method ?? '', path: url.pathname + url.search, authorization, body });
  const { violations } = state;
  const method = request.method ?? 'GET';
  // Storage that GitHub redirects to is not part of the API.
  const isApi = !url.pathname.startsWith('/logs/');
  if (isApi) violations.push(...problemsOfRequest(method, url, body));
  const at = state.faults.findIndex(
    ({ path = '', method = request.method }) => url.pathname.includes(path) && method === request.method,
  );
  const [fault] = at === -1 ? [] : state.faults.splice(at, 1);
  // The request has its effect, and the answer is lost.
  if (fault?.late === true) route(method, url, ground);
  if (fault?.cut === true) return void request.socket.destroy();
  if (fault !== undefined)
    return send(response, fault.status, fault.body ?? { message: 'a fault' }, fault.headers);
  if (authorization !== undefined && authorization !== `token ${state.token}`)
    return send(response, 401, {
      message: 'Bad credentials',
      documentation_url: 'https://docs.github.com/rest',
    });
  const [status, more, headers] = route(method, url, ground);
  const value = isApi && status < 300 ? answerWith(method, url.pathname, status, more) : more;
  if (isApi) violations.push(...problemsOfAnswer(method, url.pathname, status, value));
  send(response, status, value, headers);
}

type Answered = [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

function route(method: string, url: URL, { body, state, bare }: Ground): Answered {
  const path = decodeURIComponent(url.pathname);
  const root = `/repos/${state.repository}`;
  const log = Number(/^\/logs\/(\d+)$/.exec(path)?.[1]);
  const job = state.runs.find(({ id }) => id === Math.floor(log / 100))?.jobs?.[log % 100];
  if (job !== undefined) return [200, job.log ?? '', { 'content-type': 'text/plain; charset=utf-8' }];
  if (!path.startsWith(root)) return [404, { message: 'Not Found' }];
  const rest = path.slice(root.length);
  if (method === 'GET' && rest === '') return [200, { default_branch: state.defaultBranch }];
  const one = /^\/pulls\/(\d+)$/.exec(rest)?.[1];
  if (rest === '/pulls' && method === 'GET') return listPulls(url, state);
  if (rest === '/pulls' && method === 'POST') return openPull(body as Record<string, unknown>, state, bare);
  if (one !== undefined) {
    const pull = state.pulls.find(({ number }) => number === Number(one));
    if (pull === undefined) return [404, { message: 'Not Found' }];
    if (method === 'PATCH') Object.assign(pull, body);
    return [200, render(pull, state)];
  }
  const more = routeMore(method, `${rest}${url.search}`, { body, state, bare });
  if (more !== undefined) return more;
  const issue = /^\/issues\/(\d+)$/.exec(rest)?.[1];
  if (issue !== undefined) {
    const found = state.issues.find(({ number }) => number === Number(issue));
    if (found === undefined) return [404, { message: 'Not Found' }];
    const { login, ...shown } = found;
    return [200, { ...shown, state: 'open', user: { login, type: 'User' } }];
  }
  const login = /^\/collaborators\/([^/]+)\/permission$/.exec(rest)?.[1];
  if (login !== undefined) {
    const role = state.permissions.get(login);
    if (role === undefined) return [404, { message: `${login} is not a user` }];
    const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role;
    return [200, { permission, role_name: role, user: { login } }];
  }
  return [404, { message: 'Not Found' }];
}

/** Comments, labels, reviewers, workflow runs and git objects. */
function routeMore(method: string, rest: string, { body, state, bare }: Ground): Answered | undefined {
  const given = (body ?? {}) as Record<string, unknown>;
  const [, pull, list] =
    /^\/(?:issues|pulls)\/(\d+)\/(comments|labels|requested_reviewers)$/.exec(rest) ?? [];
  if (method === 'POST' && pull !== undefined) {
    const on = state.pulls.find(({ number }) => number === Number(pull));
    if (on === undefined) return [404, { message: 'Not Found' }];
    if (list === 'comments') {
      const comment = { id: 100 + state.comments.length, pull: Number(pull), body: given['body'] as string };
      state.comments.push({ ...comment, login: 'github-actions[bot]' });
      return [201, { id: comment.id, body: comment.body }];
    }
    if (list === 'labels') on.labels.push(...(given['labels'] as string[]));
    else on.reviewers.push(...(given['reviewers'] as string[]), ...(given['team_reviewers'] as string[]));
    return list === 'labels' ? [200, on.labels.map((name) => ({ name }))] : [201, render(on, state)];
  }
  if (method === 'GET' && /^\/issues\/\d+\/comments(?:\?|$)/.test(rest))
    return [200, state.comments.map(({ id, body: text }) => ({ id, body: text }))];
  const comment = /^\/issues\/comments\/(\d+)$/.exec(rest)?.[1];
  if (method === 'PATCH' && comment !== undefined) {
    const found = state.comments.find(({ id }) => id === Number(comment));
    if (found === undefined) return [404, { message: 'Not Found' }];
    found.body = given['body'] as string;
    return [200, { id: found.id, body: found.body }];
  }
  const workflow = /^\/actions\/workflows\/([^/]+)\/dispatches$/.exec(rest)?.[1];
  if (method === 'POST' && workflow !== undefined) {
    state.dispatched.push({
      workflow,
      ref: given['ref'] as string,
      inputs: (given['inputs'] ?? {}) as Record<string, string>,
    });
    return [204, undefined];
  }
  if (rest.startsWith('/git/') && bare !== undefined) return writeGitObject(bare, method, rest, given);
  return rest.startsWith('/actions/') ? routeRuns(rest, state) : undefined;
}

/** Ids of jobs are made of the run and the place of the job in it. */
function routeRuns(path: string, state: Ground['state']): Answered | undefined {
  const [rest = '', query] = path.split('?');
  const sha = new URLSearchParams(query).get('head_sha');
  if (rest === '/actions/runs') {
    const found = state.runs.filter(({ head }) => sha === null || head === sha);
    const runs = found.map(({ id, name, head, conclusion, number = 1 }) => ({
      ...{ id, name, conclusion, head_sha: head, run_number: number, head_branch: 'main' },
      ...{ workflow_id: name.length, status: conclusion === null ? 'in_progress' : 'completed' },
    }));
    return [200, { total_count: runs.length, workflow_runs: runs }];
  }
  const run = state.runs.find(({ id }) => rest === `/actions/runs/${id}/jobs`);
  if (run !== undefined) {
    const jobs = (run.jobs ?? []).map(({ name, step }, at) => ({
      ...{ id: run.id * 100 + at, run_id: run.id, name, status: 'completed', conclusion: 'failure' },
      steps: [
        { name: 'Set up job', status: 'completed', conclusion: 'success', number: 1 },
        { name: step, status: 'completed', conclusion: 'failure', number: 2 },
      ],
    }));
    return [200, { total_count: jobs.length, jobs }];
  }
  const job = Number(/^\/actions\/jobs\/(\d+)\/logs$/.exec(rest)?.[1]);
  const log = state.runs.find(({ id }) => id === Math.floor(job / 100))?.jobs?.[job % 100]?.log;
  return log === undefined ? undefined : [302, undefined, { location: `/logs/${job}` }];
}

function listPulls(url: URL, state: Ground['state']): Answered {
  const query = url.searchParams;
  const wanted = query.get('state') ?? 'open';
  const found = state.pulls
    .filter((pull) => wanted === 'all' || pull.state === wanted)
    .filter((pull) => query.get('head') === null || query.get('head') === labelOf(pull))
    .filter((pull) => query.get('base') === null || query.get('base') === pull.base)
    .sort((a, b) => b.number - a.number);
  const size = Math.min(state.pageSize, Number(query.get('per_page') ?? 30));
  const page = Number(query.get('page') ?? 1);
  const items = found.slice((page - 1) * size, page * size).map((pull) => render(pull, state));
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  return [200, items, page * size < found.length ? { link: `<${next.href}>; rel="next"` } : {}];
}

function openPull(body: Record<string, unknown>, state: Ground['state'], bare: string | undefined): Answered {
  const {
    head,
    base,
    title,
    body: text,
    draft,
  } = body as { head: string; base: string; title: string; body: string; draft?: boolean };
  const sha = bare === undefined ? '0'.repeat(40) : tipOf(bare, head);
  const invalid = (message: string): Answered => [
    422,
    { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
  ];
  if (sha === undefined) return invalid(`The head ${head} is invalid`);
  const double = state.pulls.some(
    (pull) => pull.state === 'open' && pull.headBranch === head && pull.base === base,
  );
  if (double) return invalid(`A pull request already exists for ${state.repository.split('/')[0]!}:${head}.`);
  const pull = state.addPull({
    headBranch: head,
    headSha: sha,
    base,
    title,
    body: text,
    draft: draft ?? false,
  });
  return [201, render(pull, state)];
}

function render(pull: FakePull, { repository }: Ground['state']): object {
  const { headRepository, headBranch, headSha, base, labels, author, reviewers, ...shown } = pull;
  void reviewers;
  return {
    ...shown,
    html_url: `https://github.com/${repository}/pull/${pull.number}`,
    labels: labels.map((name) => ({ name })),
    user: author,
    head: {
      label: labelOf(pull),
      ref: headBranch,
      sha: headSha,
      repo: headRepository === null ? null : { full_name: headRepository },
    },
    base: { ref: base, repo: { full_name: repository } },
  };
}

function labelOf({ headRepository, headBranch }: FakePull): string {
  return `${headRepository?.split('/')[0] ?? 'unknown'}:${headBranch}`;
}

function tipOf(bare: string, branch: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  const { failed, stdout } = execaSync('git', args, { cwd: bare, reject: false });
  return failed ? undefined : stdout;
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...{ 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4990', 'x-ratelimit-reset': '1900000000' },
    'x-github-request-id': 'LOOP:1',
    ...headers,
  });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
