import { parseRepository } from './repository-name.ts';

/** The fields of a pull request that the rules use. */
export interface PullFacts {
  readonly number: number;
  readonly open: boolean;
  readonly labels: readonly string[];
  /** Head branch. */
  readonly branch: string;
  /** Commit of the head branch. */
  readonly head: string;
  /** True if the head branch is in another repository. */
  readonly fork: boolean;
  /** True if a bot opened it. */
  readonly bot: boolean;
}

/** An event of GitHub Actions, reduced to the fields that the rules use. `manual`: started with `--branch`, without an event. */
export type CiEvent =
  | {
      readonly kind: 'workflow_run';
      /** Id of the run; its failed jobs have the logs. */
      readonly run: number;
      /** Name of the workflow that ran. */
      readonly workflow: string;
      /** File of the workflow: `.github/workflows/ci.yml`; empty if it is not known. */
      readonly path: string;
      /** `failure`, `timed_out`, `success`, …; null while it runs. */
      readonly conclusion: string | null;
      readonly branch: string;
      readonly head: string;
      readonly fork: boolean;
      /** True if a bot started it, by a push for example. */
      readonly byBot: boolean;
      readonly onDefaultBranch: boolean;
      /** Message of the commit that it ran on. */
      readonly message: string;
    }
  | { readonly kind: 'label'; readonly action: string; readonly label: string; readonly pull: PullFacts }
  | {
      readonly kind: 'comment';
      readonly action: string;
      readonly body: string;
      readonly login: string;
      /** True if a bot wrote it, or an app in the name of a user. */
      readonly bot: boolean;
      /** Number of the pull request; undefined for a comment on an issue. */
      readonly pull: number | undefined;
    }
  | { readonly kind: 'schedule'; readonly branch: string }
  | {
      readonly kind: 'dispatch';
      readonly branch: string;
      readonly task: string | undefined;
      /** Number of the pull request that the try is for. */
      readonly pull: number | undefined;
      /** Id of the try that this one follows; its branch and task are used. */
      readonly retry: string | undefined;
    }
  | { readonly kind: 'manual'; readonly branch: string; readonly task: string | undefined }
  | { readonly kind: 'unsupported'; readonly name: string };

/** Environment of the event beside its payload: `GITHUB_EVENT_NAME`, `GITHUB_REPOSITORY`, `GITHUB_REF`. */
export interface EventSource {
  readonly name: string;
  /** `owner/name`. */
  readonly repository: string;
  /** `refs/heads/main`. */
  readonly ref: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a payload as GitHub writes it to `GITHUB_EVENT_PATH`. Returns a string that names the missing or malformed
 * field. Never throws. (docs.github.com: webhook events and payloads)
 */
export function parseEvent(payload: unknown, source: EventSource): CiEvent | string {
  if (parseRepository(source.repository) === undefined)
    return `GITHUB_REPOSITORY is ${JSON.stringify(source.repository)}, not owner/name`;
  const read = READERS[source.name];
  if (read === undefined) return { kind: 'unsupported', name: source.name };
  try {
    return read(requireFields(payload, 'the payload'), source);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

const READERS: Readonly<Record<string, (payload: Fields, source: EventSource) => CiEvent>> = {
  workflow_run: readWorkflowRun,
  pull_request: readPullRequest,
  issue_comment: readComment,
  schedule: (_, { ref }) => ({ kind: 'schedule', branch: branchOf(ref) }),
  workflow_dispatch: (payload, { ref }) => {
    const inputs =
      payload.inputs === null || payload.inputs === undefined ? {} : requireFields(payload.inputs, 'inputs');
    const branch = optionalText(inputs.branch);
    return {
      kind: 'dispatch',
      branch: branch ?? branchOf(ref),
      task: optionalText(inputs.task),
      pull: optionalNumber(inputs.pull, 'inputs.pull'),
      retry: optionalText(inputs.retry),
    };
  },
};

function readWorkflowRun(payload: Fields, { repository }: EventSource): CiEvent {
  const run = requireFields(payload.workflow_run, 'workflow_run');
  const commit =
    run.head_commit === null || run.head_commit === undefined
      ? {}
      : requireFields(run.head_commit, 'workflow_run.head_commit');
  const branch = requireString(run.head_branch ?? '', 'workflow_run.head_branch');
  const { default_branch: main } = requireFields(payload.repository ?? {}, 'repository');
  return {
    kind: 'workflow_run',
    path: typeof run.path === 'string' ? run.path : '',
    byBot: isBot(run.actor),
    onDefaultBranch: branch !== '' && branch === main,
    run: requireNumber(run.id, 'workflow_run.id'),
    workflow: requireString(run.name ?? '', 'workflow_run.name'),
    conclusion: run.conclusion === null ? null : requireString(run.conclusion, 'workflow_run.conclusion'),
    branch,
    head: requireCommit(run.head_sha, 'workflow_run.head_sha'),
    fork: isFork(run.head_repository, repository),
    message: typeof commit.message === 'string' ? commit.message : '',
  };
}

function readPullRequest(payload: Fields, source: EventSource): CiEvent {
  const action = requireString(payload.action, 'action');
  if (action !== 'labeled' && action !== 'unlabeled')
    return { kind: 'unsupported', name: `${source.name} ${action}` };
  const label = requireFields(payload.label, 'label');
  return {
    kind: 'label',
    action,
    label: requireString(label.name, 'label.name'),
    pull: readPull(payload.pull_request, source.repository),
  };
}

/** Reads a pull request from a payload or an answer of the REST API. Throws an error that names the malformed field. */
export function readPull(value: unknown, repository: string): PullFacts {
  const pull = requireFields(value, 'pull_request');
  const head = requireFields(pull.head, 'pull_request.head');
  if (!Array.isArray(pull.labels)) throw new Unreadable('pull_request.labels is not a list');
  return {
    number: requireNumber(pull.number, 'pull_request.number'),
    open: pull.state === 'open',
    labels: pull.labels.map((label) =>
      requireString(requireFields(label, 'a label').name, 'the name of a label'),
    ),
    branch: requireString(head.ref, 'pull_request.head.ref'),
    head: requireCommit(head.sha, 'pull_request.head.sha'),
    fork: isFork(head.repo, repository),
    bot: isBot(pull.user),
  };
}

function readComment(payload: Fields): CiEvent {
  const comment = requireFields(payload.comment, 'comment');
  const user = requireFields(comment.user, 'comment.user');
  const issue = requireFields(payload.issue, 'issue');
  const isPull = issue.pull_request !== null && issue.pull_request !== undefined;
  return {
    kind: 'comment',
    action: requireString(payload.action, 'action'),
    body: typeof comment.body === 'string' ? comment.body : '',
    login: requireString(user.login, 'comment.user.login'),
    bot: isBot(user) || (comment.performed_via_github_app ?? null) !== null,
    pull: isPull ? requireNumber(issue.number, 'issue.number') : undefined,
  };
}

/** Only `User` is a person; a deleted account is null, and shown as the user ghost. */
function isBot(user: unknown): boolean {
  if (user === null || user === undefined) return false;
  return requireFields(user, 'a user').type !== 'User';
}

/** True for another repository, and for null: GitHub's value for a deleted fork. */
function isFork(repository: unknown, own: string): boolean {
  if (repository === null || repository === undefined) return true;
  const { full_name: name } = requireFields(repository, 'a repository');
  return typeof name !== 'string' || name.toLowerCase() !== own.toLowerCase();
}

class Unreadable extends Error {}

function requireFields(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Unreadable(`${name} is not an object`);
}

function requireString(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`${name} is not a string`);
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** An input of a dispatch is a text. */
function optionalNumber(value: unknown, name: string): number | undefined {
  const text = optionalText(typeof value === 'number' ? String(value) : value);
  return text === undefined ? undefined : requireNumber(Number(text), name);
}

function requireNumber(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new Unreadable(`${name} is not a positive integer`);
}

function requireCommit(value: unknown, name: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value)) return value;
  throw new Unreadable(`${name} is not a commit hash`);
}

/** `refs/heads/main` → `main`; empty for a tag. */
function branchOf(ref: string): string {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : '';
}
