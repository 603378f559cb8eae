import type { Action, ActionType } from '../../schema/generated.ts';
import { countChangedLines, type LineCounts } from '../../platform/text/line-diff.ts';
import type { FileDiff, ToolCall } from './tool-call.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

const TEST_COMMAND =
  /\b((npm|pnpm|yarn|bun) (run )?t(est)?\b|vitest|jest|mocha|\bava\b|node .*--test|tsc|eslint|pytest|(go|cargo) test)/;
const MAX_DESCRIPTION = 500;
const MAX_PATH = 4096;
const MAX_COMMAND = 8000;

/** Converts a tool call, finished or not, to an action. */
export function toAction(call: ToolCall, scope: WorkspaceScope): Action {
  const path = pathOf(call, scope);
  return {
    type: typeOf(call),
    description: `${describeCall(call, scope)}${endingOf(call)}`,
    file_path: path === '' ? undefined : path.slice(0, MAX_PATH),
    changes: call.diffs.length === 0 ? undefined : changesOf(call.diffs),
    command: call.command === '' ? undefined : call.command.slice(0, MAX_COMMAND),
  };
}

/** The agent's title of the call with paths relative to the workspace; if it is only a path, with the call's kind. */
export function describeCall(call: ToolCall, scope: WorkspaceScope): string {
  const { title, kind, command } = call;
  const { root } = scope;
  const path = pathOf(call, scope);
  const short = oneLine(title.replaceAll(`${root}/`, '').replaceAll(`${root.slice(1)}/`, ''));
  const subject = short === '' ? oneLine(command) : short;
  const text = subject === '' || subject === path ? `${kind} ${path}`.trim() : subject;
  return text.slice(0, MAX_DESCRIPTION);
}

/** The path of the call's file, relative to the root; empty if there is none. */
function pathOf({ kind, diffs, paths }: ToolCall, scope: WorkspaceScope): string {
  return kind === 'execute' ? '' : scope.shown(diffs[0]?.path ?? paths[0] ?? '');
}

function endingOf({ status }: ToolCall): string {
  if (status === 'completed') return '';
  return status === 'failed' ? ', which failed' : ', not finished';
}

/** The action for a file written on request of the agent. */
export function toWriteAction(diff: FileDiff, scope: WorkspaceScope): Action {
  const path = scope.shown(diff.path).slice(0, MAX_PATH);
  return {
    type: diff.before === undefined ? 'file_creation' : 'code_modification',
    description: `Wrote ${path.slice(0, MAX_DESCRIPTION)}`,
    file_path: path,
    changes: changesOf([diff]),
  };
}

/** The action for a command run on request of the agent. `ending`: for example `exit code 1`. */
export function toCommandAction(command: string, ending: string): Action {
  return {
    type: isTestCommand(command) ? 'test_execution' : 'command_execution',
    description: `${oneLine(command).slice(0, MAX_DESCRIPTION)}: ${ending}`,
    command: command.slice(0, MAX_COMMAND),
  };
}

function typeOf({ kind, diffs, command, title }: ToolCall): ActionType {
  if (kind === 'edit' || (kind !== 'delete' && diffs.length > 0)) {
    return diffs.length > 0 && diffs.every(({ before }) => before === undefined)
      ? 'file_creation'
      : 'code_modification';
  }
  if (kind === 'delete') return 'file_deletion';
  if (kind === 'move') return 'code_modification';
  if (kind === 'execute') return isTestCommand(command || title) ? 'test_execution' : 'command_execution';
  return kind === 'fetch' ? 'api_call' : 'other';
}

function isTestCommand(command: string): boolean {
  return TEST_COMMAND.test(command);
}

function changesOf(diffs: readonly FileDiff[]): LineCounts {
  const counts = diffs.map(({ before, after }) => countChangedLines(before ?? '', after));
  return {
    additions: counts.reduce((sum, { additions }) => sum + additions, 0),
    deletions: counts.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
