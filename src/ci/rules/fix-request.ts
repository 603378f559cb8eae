import type { CiTrigger } from '../../schema/generated.ts';
import type { CiEvent } from '../github/event.ts';
import type { CiSettings } from '../settings.ts';
import { skip, type Skip } from './skip.ts';
import { hasLabel } from './labels.ts';

/** The fix that an event asks for, read from its payload alone. */
export interface FixRequest {
  readonly kind: 'fix';
  readonly trigger: CiTrigger;
  /** Undefined for a comment, whose payload does not name the branch of its pull request. */
  readonly branch: string | undefined;
  /** Commit that failed; undefined: the newest commit of the branch. */
  readonly head: string | undefined;
  /** Number of the pull request with the label or the comment. */
  readonly pull: number | undefined;
  readonly task: string | undefined;
  /** Login of the comment's author. */
  readonly login: string | undefined;
  /** Id of the try that this one follows; `resolveRetry` replaces the other fields by those of that try. */
  readonly retry?: string | undefined;
  /** Id of the failed workflow run. */
  readonly run?: number | undefined;
}

/** Conclusions of a workflow run that the code under test can cause. */
const FAILING: ReadonlySet<string> = new Set(['failure', 'timed_out']);
/** The first line of a comment that begins with the command; the rest of that line is the task. */
const COMMAND = /^\/ralph[ \t]+fix(?:[ \t]+(.*))?$/;
/** A line of a comment that makes the lines after it code, a quotation or hidden text. */
const NOT_PLAIN = /<|^\s*(?:>|```|~~~)/;
/** Branches on which GitHub, Mergify, Trunk, Graphite, Aviator or bors tests a merge; nobody works on them. */
const MERGE_QUEUE =
  /^(?:(?:gh-readonly-queue|mergify\/merge-queue|trunk-(?:merge|temp)|gtmq_[^/]*|graphite-merge-queue|mq-tmp[^/]*|av-mq)\/|mq-bot-|(?:staging|trying)\.tmp2?$)/i;
/** Branches of the common bots. */
const BOT_BRANCH =
  /^(?:dependabot|renovate|copilot|snyk-(?:fix|upgrade)|pre-commit-ci-update-config|depfu|pyup|imgbot|greenkeeper|release-please-?|changeset-release|crowdin|weblate|all-contributors)(?:[/-]|$)/i;
const OWN_TRAILER = /^Ralph-Loop: ralph-[a-z0-9-]+$/m;
const MAX_TASK_CHARS = 2000;

/** Reads the requested fix from an event, or the rule by which the event is skipped. Pure. */
export function parseFixRequest(event: CiEvent, settings: CiSettings): FixRequest | Skip {
  switch (event.kind) {
    case 'workflow_run':
      return fromWorkflowRun(event, settings);
    case 'label':
      return fromLabel(event, settings);
    case 'comment':
      return fromComment(event);
    case 'schedule':
      return fromBranch('schedule', event.branch, settings);
    case 'dispatch':
      return fromDispatch(event, settings);
    case 'manual':
      return fromBranch('manual', event.branch, settings, event.task);
    case 'unsupported':
      return skip('unsupported_event', `The event ${event.name} does not ask for a fix.`);
  }
}

function fromWorkflowRun(
  event: Extract<CiEvent, { kind: 'workflow_run' }>,
  settings: CiSettings,
): FixRequest | Skip {
  const { conclusion, workflow, path, branch, head, fork, message, run } = event;
  if ((workflow !== '' && workflow === settings.workflow) || isOwnPath(path, settings))
    return skip('own_workflow', `The workflow "${workflow}" is the one that runs ralph.`);
  if (conclusion === null || !FAILING.has(conclusion))
    return skip('not_failing', `The workflow "${workflow}" ended with ${conclusion ?? 'no result'}.`);
  if (fork)
    return skip('fork', 'The run is from a fork; its code must not run with the rights of this repository.');
  if (OWN_TRAILER.test(message))
    return skip('own_push', `The commit ${head.slice(0, 10)} was made by ralph.`);
  if (isBotBranch(branch)) return skip('bot_branch', `${branch} is a branch of a bot.`);
  if (event.byBot && !event.onDefaultBranch)
    return skip('bot_branch', `A bot pushed ${head.slice(0, 10)} to ${branch}.`);
  const request = fromBranch('workflow_run', branch, settings);
  return request.kind === 'skip' ? request : { ...request, head, run };
}

function fromDispatch(
  { branch, task, pull, retry }: Extract<CiEvent, { kind: 'dispatch' }>,
  settings: CiSettings,
): FixRequest | Skip {
  const request = fromBranch('dispatch', branch, settings, task);
  return request.kind === 'skip' ? request : { ...request, pull, retry };
}

function fromLabel(event: Extract<CiEvent, { kind: 'label' }>, settings: CiSettings): FixRequest | Skip {
  const { action, label, pull } = event;
  if (action !== 'labeled') return skip('other_action', `The label "${label}" was removed.`);
  if (!hasLabel([label], settings.label))
    return skip('other_label', `The label "${label}" is not "${settings.label}".`);
  if (pull.fork) return skip('fork', `Pull request #${pull.number} is from a fork.`);
  const request = fromBranch('label', pull.branch, settings);
  return request.kind === 'skip' ? request : { ...request, pull: pull.number };
}

function fromComment(event: Extract<CiEvent, { kind: 'comment' }>): FixRequest | Skip {
  const { action, body, login, bot, pull } = event;
  if (action !== 'created') return skip('other_action', `The comment was ${action}, not created.`);
  const command = commandIn(body);
  if (command === undefined)
    return skip('no_command', 'The comment has no line "/ralph fix" in its plain text.');
  if (bot) return skip('bot', `${login} is a bot, or an app wrote in the name of ${login}.`);
  if (pull === undefined)
    return skip('no_pull_request', 'The comment is on an issue, not on a pull request.');
  const task = command[1]?.trim().slice(0, MAX_TASK_CHARS);
  return {
    kind: 'fix',
    trigger: 'comment',
    branch: undefined,
    head: undefined,
    pull,
    login,
    task: task === '' ? undefined : task,
  };
}

function fromBranch(
  trigger: CiTrigger,
  branch: string,
  settings: CiSettings,
  task?: string,
): FixRequest | Skip {
  if (branch === '') return skip('no_branch', 'The event is about a tag, not about a branch.');
  if (MERGE_QUEUE.test(branch)) return skip('merge_queue', `${branch} belongs to a merge queue.`);
  if (isOwnBranch(branch, settings)) return skip('own_branch', `${branch} is a branch that ralph writes.`);
  return {
    kind: 'fix',
    trigger,
    branch,
    head: undefined,
    pull: undefined,
    login: undefined,
    task: task?.slice(0, MAX_TASK_CHARS),
  };
}

/** The command, if all that stands before it is plain text. */
function commandIn(body: string): RegExpExecArray | undefined {
  const lines = body.split(/\r?\n/);
  const at = lines.findIndex((line) => COMMAND.test(line));
  const before = lines.slice(0, at);
  const isInSpan = before.join('\n').split('`').length % 2 === 0;
  if (at === -1 || isInSpan || before.some((line) => NOT_PLAIN.test(line))) return undefined;
  return COMMAND.exec(lines[at]!) ?? undefined;
}

/** True for the file of the workflow that runs ralph, whatever its name says. */
function isOwnPath(path: string, { workflowPath }: Pick<CiSettings, 'workflowPath'>): boolean {
  return workflowPath !== undefined && path.replace(/@.*/s, '') === workflowPath;
}

/** True for a branch with the name that a common bot gives; some run under the account of a person. */
export function isBotBranch(branch: string): boolean {
  return BOT_BRANCH.test(branch);
}

/** True for the branches that hold fixes, and for the memory branch; some file systems do not tell cases apart. */
export function isOwnBranch(
  branch: string,
  { branchPrefix, memoryBranch }: Pick<CiSettings, 'branchPrefix' | 'memoryBranch'>,
): boolean {
  const folded = branch.toLowerCase();
  return folded === memoryBranch.toLowerCase() || folded.startsWith(branchPrefix.toLowerCase());
}
