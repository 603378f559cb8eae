import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { ToolCall } from './tool-call.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

/** The answer to a permission request. `reason` is empty if it is allowed. */
export interface Permission {
  readonly reason: string;
  /** The offered option to select; undefined if none fits. */
  readonly optionId: string | undefined;
}

/** Programs that change the files named in their arguments; reading a closed folder is allowed. */
const CHANGING = /^(sudo )?(rm|rmdir|mv|cp|ln|tee|touch|chmod|chown|dd|truncate|mkdir|install|rsync)\b/;
const CLOSED = /(^|[\s"'=/])\.(git|aiwg)(?=$|[\s"'/])/i;
const CLOSED_TARGET = />\s*["']?\S*\.(git|aiwg)(?=$|[\s"'/])/i;

/**
 * Allows once what stays in the workspace; rejects paths outside of it and in `.git` and `.aiwg`. Never selects "allow
 * always". The effect of a command cannot be known from its text, so only evident changes of closed folders are
 * rejected.
 */
export function decidePermission(
  call: ToolCall | undefined,
  options: readonly PermissionOption[],
  scope: WorkspaceScope,
): Permission {
  const reason = call === undefined ? '' : objectionTo(call, scope);
  const kinds = reason === '' ? ['allow_once'] : ['reject_once', 'reject_always'];
  const option = kinds
    .map((kind) => options.find((offered) => offered.kind === kind))
    .find((offered) => offered !== undefined);
  return { reason, optionId: option?.optionId };
}

function objectionTo({ kind, paths, command }: ToolCall, scope: WorkspaceScope): string {
  const isReading = kind === 'read' || kind === 'search';
  for (const path of paths) {
    const place = isReading ? scope.toRead(path) : scope.toWrite(path);
    if (!place.allowed) return `${path.slice(0, 200)} is ${place.reason}`;
  }
  const closed = command.split(/[;&|\n]+/).find((part) => changesClosedFolder(part.trim()));
  return closed === undefined
    ? ''
    : `the command changes a folder that is closed to agents: ${closed.trim().slice(0, 200)}`;
}

function changesClosedFolder(command: string): boolean {
  return CLOSED_TARGET.test(command) || (CHANGING.test(command) && CLOSED.test(command));
}
