import type { CiTrigger } from '../../schema/generated.ts';
import type { CiEvent } from './event.ts';
import { skip, type CiSettings, type Skip } from './rules.ts';

/** What an event asks for, from its payload alone. */
export interface Target {
  readonly kind: 'target';
  readonly trigger: CiTrigger;
  /** Undefined: that of the pull request, which the state tells. */
  readonly branch: string | undefined;
  /** Commit that the event is about; undefined: whatever is the newest. */
  readonly head: string | undefined;
  /** Pull request that it was asked for on. */
  readonly pull: number | undefined;
  readonly task: string | undefined;
  /** Login of who commented. */
  readonly login: string | undefined;
}

/** Conclusions of a workflow run by which the tree is to blame. */
const FAILING: ReadonlySet<string> = new Set(['failure', 'timed_out']);
const WRITERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** The first line of a comment that begins with it; the rest of the line is the task. */
const COMMAND = /^\/ralph[ \t]+fix(?:[ \t]+(.*))?$/m;
const OWN_TRAILER = /^Ralph-Loop: ralph-[a-z0-9-]+$/m;
const MAX_TASK_CHARS = 2000;

/** What the payload asks for, or why nothing. The state is looked up for what this gives. */
export function targetOf(event: CiEvent, settings: CiSettings): Target | Skip {
  switch (event.kind) {
    case 'workflow_run':
      return ofWorkflowRun(event, settings);
    case 'label':
      return ofLabel(event, settings);
    case 'comment':
      return ofComment(event);
    case 'schedule':
      return branchTarget('schedule', event.branch, settings);
    case 'dispatch':
    case 'manual':
      return branchTarget(event.kind, event.branch, settings, event.task);
    case 'unsupported':
      return skip('unsupported_event', `The event ${event.name} is none that asks for a fix.`);
  }
}

function ofWorkflowRun(
  event: Extract<CiEvent, { kind: 'workflow_run' }>,
  settings: CiSettings,
): Target | Skip {
  const { conclusion, workflow, branch, head, fork, message } = event;
  if (workflow !== '' && workflow === settings.workflow)
    return skip('own_workflow', `The workflow "${workflow}" is this one: it does not mend itself.`);
  if (conclusion === null || !FAILING.has(conclusion))
    return skip('not_failing', `The workflow "${workflow}" ended with ${conclusion ?? 'no result'}.`);
  if (fork)
    return skip('fork', 'The run is of a fork, whose code is not run with rights of this repository.');
  if (OWN_TRAILER.test(message))
    return skip('own_push', `The commit ${head.slice(0, 10)} is by ralph itself.`);
  const target = branchTarget('workflow_run', branch, settings);
  return target.kind === 'skip' ? target : { ...target, head };
}

function ofLabel(event: Extract<CiEvent, { kind: 'label' }>, settings: CiSettings): Target | Skip {
  const { action, label, pull } = event;
  if (action !== 'labeled') return skip('other_action', `The label "${label}" was taken off.`);
  if (label !== settings.label)
    return skip('other_label', `The label "${label}" is not "${settings.label}".`);
  if (pull.fork) return skip('fork', `Pull request #${pull.number} is from a fork.`);
  const target = branchTarget('label', pull.branch, settings);
  return target.kind === 'skip' ? target : { ...target, pull: pull.number };
}

function ofComment(event: Extract<CiEvent, { kind: 'comment' }>): Target | Skip {
  const { action, body, login, association, bot, pull } = event;
  if (action !== 'created') return skip('other_action', `The comment was ${action}, not created.`);
  const command = COMMAND.exec(body);
  if (command === null) return skip('no_command', 'The comment has no line "/ralph fix".');
  if (bot) return skip('bot', `${login} is a bot.`);
  if (pull === undefined)
    return skip('no_pull_request', 'The comment is on an issue, not on a pull request.');
  if (!WRITERS.has(association))
    return skip('no_permission', `${login} (${association.toLowerCase()}) may not write to this repository.`);
  const task = command[1]?.trim().slice(0, MAX_TASK_CHARS);
  return {
    ...{ kind: 'target', trigger: 'comment', branch: undefined, head: undefined, pull, login },
    task: task === '' ? undefined : task,
  };
}

function branchTarget(
  trigger: CiTrigger,
  branch: string,
  settings: CiSettings,
  task?: string,
): Target | Skip {
  if (branch === '') return skip('no_branch', 'There is no branch to mend: the event is about a tag.');
  if (isOwnBranch(branch, settings)) return skip('own_branch', `${branch} is a branch of ralph's own.`);
  return {
    ...{ kind: 'target', trigger, branch, head: undefined, pull: undefined, login: undefined },
    task: task?.slice(0, MAX_TASK_CHARS),
  };
}

/** True for the branches that hold fixes, and for the one that holds the memory. */
export function isOwnBranch(
  branch: string,
  { branchPrefix, memoryBranch }: Pick<CiSettings, 'branchPrefix' | 'memoryBranch'>,
): boolean {
  return branch === memoryBranch || branch.startsWith(branchPrefix);
}
