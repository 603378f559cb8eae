/** Payloads as GitHub writes them to GITHUB_EVENT_PATH, trimmed to what identifies them and what is read of them. */

const REPOSITORY = 'octo-org/shop';

const repository = {
  id: 1296269,
  name: 'shop',
  full_name: REPOSITORY,
  private: false,
  owner: { login: 'octo-org', id: 6811672, type: 'Organization' },
  html_url: `https://github.com/${REPOSITORY}`,
  fork: false,
  default_branch: 'main',
};
const sender = { login: 'octocat', id: 583231, type: 'User', site_admin: false };

export const FORK = 'somebody/shop';

type Fields = Readonly<Record<string, unknown>>;

/** `workflow_run`, completed. */
export function workflowRunPayload(head: string, change: Fields = {}): object {
  return {
    action: 'completed',
    workflow_run: {
      id: 30433642,
      name: 'CI',
      node_id: 'MDEyOldvcmtmbG93IFJ1bjI2OTI4OQ==',
      head_branch: 'main',
      head_sha: head,
      path: '.github/workflows/ci.yml',
      run_number: 562,
      run_attempt: 1,
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      workflow_id: 159038,
      html_url: `https://github.com/${REPOSITORY}/actions/runs/30433642`,
      pull_requests: [],
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20T10:03:11Z',
      actor: sender,
      triggering_actor: sender,
      head_commit: {
        id: head,
        tree_id: 'd23f6eedb1e1b9610bbc754ddb5197bfe7271223',
        message: 'Round the totals',
        timestamp: '2026-11-20T09:59:40Z',
        author: { name: 'Octocat', email: 'octocat@github.com' },
        committer: { name: 'GitHub', email: 'noreply@github.com' },
      },
      repository,
      head_repository: { id: 1296269, name: 'shop', full_name: REPOSITORY, fork: false },
      ...change,
    },
    workflow: { id: 159038, name: 'CI', path: '.github/workflows/ci.yml', state: 'active' },
    repository,
    organization: { login: 'octo-org', id: 6811672 },
    sender,
  };
}

/** `pull_request`, labeled or unlabeled. */
export function labelPayload(
  head: string,
  {
    action = 'labeled',
    label = 'ralph',
    pull = {},
  }: { readonly action?: string; readonly label?: string; readonly pull?: Fields } = {},
): object {
  return {
    action,
    number: 7,
    pull_request: {
      url: `https://api.github.com/repos/${REPOSITORY}/pulls/7`,
      id: 279147437,
      number: 7,
      state: 'open',
      locked: false,
      title: 'Round the totals',
      user: sender,
      body: 'Please have a look.',
      labels: [{ id: 208045946, name: 'ralph', color: 'f29513', default: false }],
      draft: false,
      head: {
        label: 'octo-org:rounding',
        ref: 'rounding',
        sha: head,
        user: { login: 'octo-org' },
        repo: { id: 1296269, full_name: REPOSITORY, fork: false },
      },
      base: {
        label: 'octo-org:main',
        ref: 'main',
        sha: '9'.repeat(40),
        repo: { id: 1296269, full_name: REPOSITORY },
      },
      author_association: 'MEMBER',
      merged: false,
      ...pull,
    },
    label: { id: 208045946, name: label, color: 'f29513', default: false },
    repository,
    sender,
  };
}

/** `issue_comment`, created, on pull request 7. */
export function commentPayload(
  body: string,
  {
    action = 'created',
    comment = {},
    issue = {},
  }: { readonly action?: string; readonly comment?: Fields; readonly issue?: Fields } = {},
): object {
  return {
    action,
    issue: {
      number: 7,
      title: 'Round the totals',
      state: 'open',
      user: sender,
      labels: [],
      pull_request: { url: `https://api.github.com/repos/${REPOSITORY}/pulls/7` },
      ...issue,
    },
    comment: {
      id: 1,
      body,
      user: sender,
      author_association: 'MEMBER',
      created_at: '2026-11-20T10:05:00Z',
      ...comment,
    },
    repository,
    sender,
  };
}

/** `schedule`: the whole of it is the cron line, the repository stands in the environment. */
export function schedulePayload(): object {
  return { schedule: '17 3 * * *', workflow: '.github/workflows/ralph.yml', repository };
}

/** `workflow_dispatch`. */
export function dispatchPayload(inputs: Fields | null = null): object {
  return { inputs, ref: 'refs/heads/main', workflow: '.github/workflows/ralph.yml', repository, sender };
}

/** `push`. */
export function pushPayload(head: string): object {
  return {
    ref: 'refs/heads/main',
    before: '1'.repeat(40),
    after: head,
    forced: false,
    commits: [{ id: head, message: 'Round the totals', distinct: true }],
    repository,
    pusher: { name: 'octocat', email: 'octocat@github.com' },
    sender,
  };
}
