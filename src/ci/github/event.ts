import { parseRepository } from './names.ts';

/** What a pull request is, as far as the job asks. */
export interface PullFacts {
  readonly number: number;
  readonly open: boolean;
  readonly labels: readonly string[];
  /** Branch that it brings, its commit, and whether it lies in another repository. */
  readonly branch: string;
  readonly head: string;
  readonly fork: boolean;
}

/** An event of GitHub Actions, less what the job does not look at. `manual`: none; somebody started it. */
export type CiEvent =
  | {
      readonly kind: 'workflow_run';
      /** Name of the workflow that ran, and how it ended: `failure`, `timed_out`, `success`, … */
      readonly workflow: string;
      readonly conclusion: string | null;
      readonly branch: string;
      readonly head: string;
      readonly fork: boolean;
      /** Of the commit that it ran on. */
      readonly message: string;
    }
  | { readonly kind: 'label'; readonly action: string; readonly label: string; readonly pull: PullFacts }
  | {
      readonly kind: 'comment';
      readonly action: string;
      readonly body: string;
      readonly login: string;
      readonly association: string;
      readonly bot: boolean;
      /** Undefined: the comment is on an issue. */
      readonly pull: number | undefined;
    }
  | { readonly kind: 'schedule'; readonly branch: string }
  | { readonly kind: 'dispatch'; readonly branch: string; readonly task: string | undefined }
  | { readonly kind: 'manual'; readonly branch: string; readonly task: string | undefined }
  | { readonly kind: 'unsupported'; readonly name: string };

/** What Actions tells beside the payload: `GITHUB_EVENT_NAME`, `GITHUB_REPOSITORY`, `GITHUB_REF`. */
export interface EventSource {
  readonly name: string;
  /** `owner/name`. */
  readonly repository: string;
  /** `refs/heads/main`. */
  readonly ref: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a payload as GitHub writes it to `GITHUB_EVENT_PATH`. A string names the field that is missing or of another
 * shape. Never throws. (docs.github.com: webhook events and payloads)
 */
export function parseEvent(payload: unknown, source: EventSource): CiEvent | string {
  if (parseRepository(source.repository) === undefined)
    return `GITHUB_REPOSITORY is ${JSON.stringify(source.repository)}, which is no owner/name`;
  const read = READERS[source.name];
  if (read === undefined) return { kind: 'unsupported', name: source.name };
  try {
    return read(fieldsOf(payload, 'the payload'), source);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

const READERS: Readonly<Record<string, (payload: Fields, source: EventSource) => CiEvent>> = {
  workflow_run: readWorkflowRun,
  pull_request: readPullRequest,
  pull_request_target: readPullRequest,
  issue_comment: readComment,
  schedule: (_, { ref }) => ({ kind: 'schedule', branch: branchOf(ref) }),
  workflow_dispatch: (payload, { ref }) => {
    const inputs =
      payload.inputs === null || payload.inputs === undefined ? {} : fieldsOf(payload.inputs, 'inputs');
    const branch = optionalText(inputs.branch);
    return { kind: 'dispatch', branch: branch ?? branchOf(ref), task: optionalText(inputs.task) };
  },
};

function readWorkflowRun(payload: Fields, { repository }: EventSource): CiEvent {
  const run = fieldsOf(payload.workflow_run, 'workflow_run');
  const commit =
    run.head_commit === null || run.head_commit === undefined
      ? {}
      : fieldsOf(run.head_commit, 'workflow_run.head_commit');
  return {
    kind: 'workflow_run',
    workflow: textOf(run.name ?? '', 'workflow_run.name'),
    conclusion: run.conclusion === null ? null : textOf(run.conclusion, 'workflow_run.conclusion'),
    branch: textOf(run.head_branch ?? '', 'workflow_run.head_branch'),
    head: commitOf(run.head_sha, 'workflow_run.head_sha'),
    fork: isFork(run.head_repository, repository),
    message: typeof commit.message === 'string' ? commit.message : '',
  };
}

function readPullRequest(payload: Fields, source: EventSource): CiEvent {
  const action = textOf(payload.action, 'action');
  if (action !== 'labeled' && action !== 'unlabeled')
    return { kind: 'unsupported', name: `${source.name} ${action}` };
  const label = fieldsOf(payload.label, 'label');
  return {
    kind: 'label',
    action,
    label: textOf(label.name, 'label.name'),
    pull: readPull(payload.pull_request, source.repository),
  };
}

/** A pull request as payloads and the REST API have it. Throws what `parseEvent` turns into a string. */
export function readPull(value: unknown, repository: string): PullFacts {
  const pull = fieldsOf(value, 'pull_request');
  const head = fieldsOf(pull.head, 'pull_request.head');
  if (!Array.isArray(pull.labels)) throw new Unreadable('pull_request.labels is no list');
  return {
    number: numberOf(pull.number, 'pull_request.number'),
    open: pull.state === 'open',
    labels: pull.labels.map((label) => textOf(fieldsOf(label, 'a label').name, 'the name of a label')),
    branch: textOf(head.ref, 'pull_request.head.ref'),
    head: commitOf(head.sha, 'pull_request.head.sha'),
    fork: isFork(head.repo, repository),
  };
}

function readComment(payload: Fields): CiEvent {
  const comment = fieldsOf(payload.comment, 'comment');
  const user = fieldsOf(comment.user, 'comment.user');
  const issue = fieldsOf(payload.issue, 'issue');
  const isPull = issue.pull_request !== null && issue.pull_request !== undefined;
  return {
    kind: 'comment',
    action: textOf(payload.action, 'action'),
    body: typeof comment.body === 'string' ? comment.body : '',
    login: textOf(user.login, 'comment.user.login'),
    association: textOf(comment.author_association, 'comment.author_association'),
    bot: user.type !== 'User',
    pull: isPull ? numberOf(issue.number, 'issue.number') : undefined,
  };
}

/** A repository that was deleted was not this one. */
function isFork(repository: unknown, own: string): boolean {
  if (repository === null || repository === undefined) return true;
  const { full_name: name } = fieldsOf(repository, 'a repository');
  return typeof name !== 'string' || name.toLowerCase() !== own.toLowerCase();
}

class Unreadable extends Error {}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Unreadable(`${name} is no object`);
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(`${name} is no text`);
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function numberOf(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new Unreadable(`${name} is no number above 0`);
}

function commitOf(value: unknown, name: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value)) return value;
  throw new Unreadable(`${name} is no commit`);
}

/** `refs/heads/main` → `main`; empty for a tag. */
function branchOf(ref: string): string {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : '';
}
