import { expect, test } from 'vitest';
import { RalphError } from '../../../src/errors.ts';
import { createGitHub, type GitHub } from '../../../src/ci/github/client.ts';
import { parseRepository } from '../../../src/ci/github/repository-name.ts';
import { startGitHub, type Fault, type GitHubServer } from '../../support/github/server.ts';

function clientOf(
  server: GitHubServer,
  token: string | null = server.token,
  warnings: string[] = [],
): GitHub {
  return createGitHub({
    repository: parseRepository(server.repository)!,
    token: token ?? undefined,
    apiUrl: server.url,
    warn: (text) => warnings.push(text),
  });
}

async function refusal(work: Promise<unknown>): Promise<RalphError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RalphError);
  return error as RalphError;
}

test('updates the open pull request of a branch instead of opening a second one', async () => {
  const server = await startGitHub();
  const request = {
    head: 'ralph/fix-main',
    base: 'main',
    title: 'ralph: fix main',
    body: 'one',
    draft: false,
  };
  expect(await clientOf(server).upsertPull(request)).toMatchObject({ number: 1, created: true });
  expect(await clientOf(server).upsertPull({ ...request, body: 'two' })).toMatchObject({
    number: 1,
    created: false,
  });
  expect(server.pulls).toMatchObject([{ body: 'two', headBranch: 'ralph/fix-main', base: 'main' }]);
});

test('finds the pull request that it has opened if the answer was lost', async () => {
  const server = await startGitHub();
  server.addPull({ headBranch: 'ralph/fix-main' });
  // As it was before the request.
  server.faults.push({ method: 'GET', status: 200, body: [] });
  server.faults.push({ method: 'POST', status: 422, body: { message: 'A pull request already exists' } });
  const request = { head: 'ralph/fix-main', base: 'main', title: 't', body: 'b', draft: true };
  expect(await clientOf(server).upsertPull(request)).toMatchObject({ number: 1, created: true });
  expect(server.pulls).toMatchObject([{ title: 't', body: 'b' }]);
});

test('opens a new pull request if the last one was closed', async () => {
  const server = await startGitHub();
  server.addPull({ headBranch: 'ralph/fix-main', state: 'closed', merged_at: '2026-11-01T00:00:00Z' });
  const request = { head: 'ralph/fix-main', base: 'main', title: 't', body: 'b', draft: true };
  expect(await clientOf(server).upsertPull(request)).toMatchObject({ number: 2, created: true });
  expect(server.pulls[1]!.draft).toBe(true);
});

test("reads all pages of a branch's pull requests, with labels and forks", async () => {
  const server = await startGitHub();
  for (let made = 0; made < 130; made++)
    server.addPull({ headBranch: 'rounding', labels: made === 3 ? ['no-ralph'] : [] });
  server.addPull({ headBranch: 'rounding', headRepository: 'somebody/shop' });
  const pulls = await clientOf(server).pullsOf('rounding');
  expect(pulls).toHaveLength(130);
  expect(pulls.filter(({ labels }) => labels.includes('no-ralph')).map(({ number }) => number)).toEqual([4]);
  expect(await clientOf(server).pull(131)).toMatchObject({ fork: true });
});

test('returns undefined for an unknown pull request and "none" for an unknown user', async () => {
  const server = await startGitHub();
  server.permissions.set('octocat', 'maintain');
  server.permissions.set('sorter', 'triage');
  expect(await clientOf(server).pull(9)).toBeUndefined();
  expect(await clientOf(server).permissionOf('octocat')).toBe('write');
  expect(await clientOf(server).permissionOf('sorter')).toBe('read');
  expect(await clientOf(server).permissionOf('nobody')).toBe('none');
});

test.each([
  ['closed', null, true],
  ['closed', '2026-11-01T00:00:00Z', false],
  ['open', null, false],
] as const)(
  'for a newest pull request that is %s and was merged at %s, wasRejected is %s',
  async (state, merged, expected) => {
    const server = await startGitHub();
    server.addPull({ headBranch: 'ralph/fix-main', state: 'closed' });
    server.addPull({ headBranch: 'ralph/fix-main', state, merged_at: merged });
    expect(await clientOf(server).wasRejected('ralph/fix-main')).toBe(expected);
  },
);

test('reads public data without a token', async () => {
  const server = await startGitHub();
  server.issues.push({ number: 42, title: 'Totals are off', body: null, login: 'octocat' });
  expect(await clientOf(server, null).issue(42)).toEqual({
    number: 42,
    title: 'Totals are off',
    body: '',
    author: 'octocat',
  });
  expect(server.asked.at(-1)!.authorization).toBeUndefined();
});

test('repeats a request that failed twice with 5xx', async () => {
  const server = await startGitHub();
  server.faults.push({ status: 502 }, { status: 500 });
  expect(await clientOf(server).defaultBranch()).toBe('main');
  expect(server.asked).toHaveLength(3);
});

test('waits for a rate limit that resets soon, with a warning', async () => {
  const server = await startGitHub();
  const limited = { message: 'You have exceeded a secondary rate limit' };
  server.faults.push({ status: 403, body: limited, headers: { 'retry-after': '1' } });
  const warnings: string[] = [];
  expect(await clientOf(server, server.token, warnings).defaultBranch()).toBe('main');
  expect(warnings.join()).toContain('retrying in 1 s');
});

const ERRORS: readonly (readonly [string, Fault, number, string | RegExp])[] = [
  ['an invalid token', { status: 401, body: { message: 'Bad credentials' } }, 2, 'GITHUB_TOKEN'],
  [
    'a missing permission',
    { status: 403, body: { message: 'Resource not accessible by integration' } },
    2,
    'pull-requests: write',
  ],
  [
    'a disabled repository setting',
    { status: 403, body: { message: 'GitHub Actions is not permitted to create or approve pull requests.' } },
    2,
    'Settings › Actions',
  ],
  ['a missing resource', { status: 404, body: { message: 'Not Found' } }, 2, 'does not exist'],
  [
    'a failed validation',
    {
      status: 422,
      body: { message: 'Validation Failed', errors: [{ message: 'No commits between main and x' }] },
    },
    4,
    'rejected',
  ],
  [
    'a rate limit',
    {
      status: 403,
      body: { message: 'API rate limit exceeded' },
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1900000000' },
    },
    4,
    '2030-03-17T17:46:40.000Z',
  ],
];

test.each(ERRORS)(
  'the error for %s has a hint and does not contain the token',
  async (_, fault, exitCode, hint) => {
    const server = await startGitHub();
    server.faults.push(fault);
    const error = await refusal(clientOf(server).defaultBranch());
    expect(error).toMatchObject({ code: 'github_failed', exitCode });
    expect(error.message).toContain(`answered ${fault.status} for GET /repos/octo-org/shop`);
    expect(error.hint).toContain(hint);
    expect(JSON.stringify([error.message, error.hint, error.stack, String(error.cause)])).not.toContain(
      server.token,
    );
  },
);

test('the error for a rejected pull request contains the validation message of GitHub', async () => {
  const server = await startGitHub();
  server.faults.push(ERRORS[4]![1]);
  const request = { head: 'x', base: 'main', title: 't', body: 'b', draft: false };
  // The fault answers the first request, which looks for an open pull request.
  const error = await refusal(clientOf(server).upsertPull(request));
  expect(error.message).toContain('No commits between main and x');
});

test('the error for an unreachable server says so', async () => {
  const server = await startGitHub();
  const client = clientOf(server);
  await server.close();
  const error = await refusal(client.defaultBranch());
  expect(error.message).toContain('could not be reached');
  expect(error.exitCode).toBe(4);
});

const PAGE = '<!doctype html><title>Sign in</title>';

test.each<[string, string | object, (github: GitHub) => Promise<unknown>]>([
  ['the pull requests of a branch', PAGE, (github) => github.pullsOf('rounding')],
  ['the pull requests of a branch', { items: [] }, (github) => github.pullsOf('rounding')],
  ['the pull requests of a branch', [{ number: 1 }], (github) => github.pullsOf('rounding')],
  ['the open pull requests', '\0\0', (github) => github.openPulls()],
  ['one pull request', PAGE, (github) => github.pull(1)],
  ['one pull request', { number: 1, labels: [] }, (github) => github.pull(1)],
  ['a permission', PAGE, (github) => github.permissionOf('octocat')],
  ['the newest pull request', {}, (github) => github.wasRejected('rounding')],
  ['an issue', { number: 1 }, (github) => github.issue(1)],
  ['the default branch', {}, (github) => github.defaultBranch()],
  ['the state of a commit', {}, (github) => github.isFailing('a'.repeat(40), undefined)],
  ['failed jobs', PAGE, (github) => github.failedJobs(1)],
  ['a comment', {}, (github) => github.addComment(1, 'x')],
  ['an edited comment', PAGE, (github) => github.editComment(1, 'x')],
  ['labels', PAGE, (github) => github.addLabels(1, ['x'])],
  ['reviewers', [], (github) => github.requestReviews(1, ['octocat'])],
  ['a branch', {}, (github) => github.setBranch('x', 'a'.repeat(40), false)],
])('an answer 200 about %s that GitHub does not give is an error', async (_, body, ask) => {
  const server = await startGitHub();
  server.addPull({ headBranch: 'rounding', labels: ['no-ralph'] });
  server.faults.push({ status: 200, body });
  const error = await refusal(ask(clientOf(server)));
  expect(error).toMatchObject({ code: 'github_failed', exitCode: 4 });
  expect(error.message).toMatch(/^The answer to \w+ \/repos\/octo-org\/shop\S* is not GitHub's: .*\.$/);
});

test('a pull request that a proxy answered in the place of GitHub counts as not opened', async () => {
  const server = await startGitHub();
  server.faults.push({ method: 'POST', status: 201, body: PAGE });
  const request = { head: 'x', base: 'main', title: 't', body: 'b', draft: false };
  await refusal(clientOf(server).upsertPull(request));
  expect(await clientOf(server).upsertPull(request)).toMatchObject({ number: 1, created: true });
});

test('a comment whose answer is lost is not written again; one that was not written is', async () => {
  const server = await startGitHub();
  server.addPull({ headBranch: 'rounding' });
  server.faults.push({ method: 'POST', status: 0, cut: true, late: true });
  expect(await clientOf(server).addComment(1, 'one')).toBe(100);
  expect(server.comments).toHaveLength(1);
  expect(server.comments[0]!.body).toMatch(/^one\n\n<!-- [\da-f-]{36} -->$/);
  server.faults.push({ method: 'POST', status: 502 });
  expect(await clientOf(server).addComment(1, 'two')).toBe(101);
  expect(server.comments).toHaveLength(2);
  server.faults.push({ method: 'POST', status: 403 });
  await refusal(clientOf(server).addComment(1, 'three'));
  expect(server.comments).toHaveLength(2);
});
