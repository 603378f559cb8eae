/** Payloads as GitHub has recorded them (@octokit/webhooks-examples), with the fields of the tests in them. */
import { createRequire } from 'node:module';

const REPOSITORY = 'octo-org/shop';

const repository = { name: 'shop', full_name: REPOSITORY, default_branch: 'main' };
const sender = { login: 'octocat', type: 'User' };

export const FORK = 'somebody/shop';

type Fields = Readonly<Record<string, unknown>>;

/** The recorded payloads of one event. */
export interface RecordedEvent {
  readonly name: string;
  readonly examples: readonly (Fields & { readonly action?: string })[];
}

/** Every event with its recorded payloads. */
export const RECORDED = createRequire(import.meta.url)(
  '@octokit/webhooks-examples/api.github.com/index.json',
) as readonly RecordedEvent[];

/** The last recorded payload of an event and action, with other values for some of its fields. */
function recorded(name: string, action: string | undefined, change: Fields): object {
  const examples = RECORDED.find((event) => event.name === name)?.examples ?? [];
  // The newest recording is the last one; the first ones lack fields that GitHub has added since.
  const example = examples.findLast((it) => action === undefined || it.action === action);
  return merged(example ?? {}, change) as object;
}

function merged(base: unknown, change: unknown): unknown {
  // Items take over the other fields of the first recorded one.
  if (Array.isArray(base) && Array.isArray(change) && isFields(base[0]))
    return change.map((item: unknown) => merged(base[0], item));
  if (!isFields(base) || !isFields(change)) return change;
  const all = new Set([...Object.keys(base), ...Object.keys(change)]);
  return Object.fromEntries(
    [...all].map((key) => [key, key in change ? merged(base[key], change[key]) : base[key]]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `workflow_run`, completed. */
export function workflowRunPayload(head: string, change: Fields = {}): object {
  return recorded('workflow_run', 'completed', {
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
      head_commit: {
        id: head,
        tree_id: 'd23f6eedb1e1b9610bbc754ddb5197bfe7271223',
        message: 'Round the totals',
        timestamp: '2026-11-20T09:59:40Z',
        author: { name: 'Octocat', email: 'octocat@github.com' },
        committer: { name: 'GitHub', email: 'noreply@github.com' },
      },
      head_repository: { id: 1296269, name: 'shop', full_name: REPOSITORY, fork: false },
      ...change,
    },
    workflow: { id: 159038, name: 'CI', path: '.github/workflows/ci.yml', state: 'active' },
    repository,
    sender,
  });
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
  return recorded('pull_request', action, {
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
  });
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
  return recorded('issue_comment', action, {
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
  });
}

/** `schedule`: the whole of it is the cron line, the repository stands in the environment. */
export function schedulePayload(): object {
  return { schedule: '17 3 * * *', workflow: '.github/workflows/ralph.yml', repository };
}

/** `workflow_dispatch`. */
export function dispatchPayload(inputs: Fields | null = null): object {
  return recorded('workflow_dispatch', undefined, {
    ...{ inputs, ref: 'refs/heads/main', workflow: '.github/workflows/ralph.yml', repository, sender },
  });
}

/** `push`. */
export function pushPayload(head: string): object {
  return recorded('push', undefined, {
    ref: 'refs/heads/main',
    before: '1'.repeat(40),
    after: head,
    forced: false,
    repository,
    pusher: { name: 'octocat', email: 'octocat@github.com' },
    sender,
  });
}
