import type { Action, ActionType } from '../../schema/generated.ts';
import { countChangedLines, type LineCounts } from './line-counts.ts';
import type { FileDiff, ToolCall } from './tool-call.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

const TEST_COMMAND =
  /\b((npm|pnpm|yarn|bun) (run )?t(est)?\b|vitest|jest|mocha|\bava\b|node .*--test|tsc|eslint|pytest|(go|cargo) test)/;
const MAX_DESCRIPTION = 500;
const MAX_PATH = 4096;
const MAX_COMMAND = 8000;

/** A tool call as the action that it was, whether it was finished or not. */
export function toAction(call: ToolCall, scope: WorkspaceScope): Action {
  const path = pathOf(call, scope);
  return {
    type: typeOf(call),
    description: `${describeCall(call, scope)}${endingOf(call)}`,
    ...(path === '' ? {} : { file_path: path.slice(0, MAX_PATH) }),
    ...(call.diffs.length === 0 ? {} : { changes: changesOf(call.diffs) }),
    ...(call.command === '' ? {} : { command: call.command.slice(0, MAX_COMMAND) }),
  };
}

/** The agent's own title, without the workspace's folder in its paths; with a verb where it is a path alone. */
export function describeCall(call: ToolCall, scope: WorkspaceScope): string {
  const { title, kind, command } = call;
  const { root } = scope;
  const path = pathOf(call, scope);
  const short = oneLine(title.replaceAll(`${root}/`, '').replaceAll(`${root.slice(1)}/`, ''));
  const said = short === '' ? oneLine(command) : short;
  const text = said === '' || said === path ? `${kind} ${path}`.trim() : said;
  return text.slice(0, MAX_DESCRIPTION);
}

/** Relative to the root; empty where the call is about no file. */
function pathOf({ kind, diffs, paths }: ToolCall, scope: WorkspaceScope): string {
  return kind === 'execute' ? '' : scope.shown(diffs[0]?.path ?? paths[0] ?? '');
}

function endingOf({ status }: ToolCall): string {
  if (status === 'completed') return '';
  return status === 'failed' ? ', which failed' : ', not finished';
}

/** A file that the agent had us write. */
export function toWriteAction(diff: FileDiff, scope: WorkspaceScope): Action {
  const path = scope.shown(diff.path).slice(0, MAX_PATH);
  return {
    type: diff.before === undefined ? 'file_creation' : 'code_modification',
    description: `Wrote ${path.slice(0, MAX_DESCRIPTION)}`,
    file_path: path,
    changes: changesOf([diff]),
  };
}

/** A command that ran for the agent. `ending` is how: `exit code 1`. */
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
