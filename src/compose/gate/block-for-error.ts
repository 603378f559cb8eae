import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExitCode, messageOf, RalphError, type ErrorCode } from '../../errors.ts';
import { blocksBefore, MOST_BLOCKS } from '../../gate/blocks.ts';
import { renderBlock } from '../../gate/message.ts';
import { BY_HAND, findSessionRoot, openSessionStore } from '../../gate/session-store.ts';
import { RALPH_FOLDER, RALPH_PATHS } from '../../platform/ralph-folder.ts';
import type { GateSession } from '../../schema/generated.ts';
import { settle, type CheckAnswer, type CheckRequest } from './answer.ts';

/** Errors that lie in files which an agent can change: it can put them right. */
const IN_THE_TREE: readonly ErrorCode[] = [
  ...([
    'config_invalid',
    'config_untrusted',
    'config_changed',
    'no_package',
    'no_checks',
    'no_repository',
    'no_commits',
  ] as const),
  ...(['no_dependencies', 'check_unrunnable', 'repository_unusable', 'conflict', 'lock_stopped'] as const),
  ...(['state_damaged'] as const),
];

/**
 * Blocks the agent of a session that was started for an error in its tree, since there was none at the start: as often as for
 * red tests. Throws the error again if it is another one, or there is no such session.
 */
export async function blockForError(error: unknown, request: CheckRequest): Promise<CheckAnswer> {
  const { session: id, isContinued, isLimited, trees } = request;
  const root = !isLimited || trees !== undefined || id === BY_HAND ? undefined : findSessionRoot(id, request);
  const known = root === undefined ? undefined : errorInTheTree(error, root);
  if (root === undefined || known === undefined) throw error;
  const store = openSessionStore(root);
  const found = store.read(id);
  if (found?.hooks === undefined) throw error;
  const session: GateSession = { ...found, blocks: blocksBefore(found.blocks, isContinued) };
  const answer = {
    at: new Date().toISOString(),
    // No tree is judged: the next check does not take this answer for its own.
    tree: '',
    surroundings: '',
    passed: false,
    text: textOf(known, session, root),
  };
  return settle({ request, repository: { root }, store }, session, { answer, notes: [], isKnown: false });
}

function errorInTheTree(error: unknown, root: string): RalphError | undefined {
  if (error instanceof RalphError && IN_THE_TREE.includes(error.code)) return error;
  if (!isOfOwnFolder(error) && !isInTheWay(root)) return undefined;
  return new RalphError(messageOf(error), {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: `Put ${dirname(RALPH_FOLDER)} back as it was: ralph keeps its state there.`,
    cause: error,
  });
}

/** Errors of the system where a file stands in the place of a folder, a folder in that of a file, or nobody may enter. */
const OTHER_KIND = ['ENOTDIR', 'EISDIR', 'ERR_FS_EISDIR', 'EEXIST', 'ELOOP', 'EACCES', 'EPERM'];

function isOfOwnFolder(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return (
    (OTHER_KIND.includes(code) && error.message.includes(`/${RALPH_FOLDER}`)) || isOfOwnFolder(error.cause)
  );
}

/** Whether the folder of ralph is no folder, or its lock no file. */
function isInTheWay(root: string): boolean {
  const { lock } = RALPH_PATHS;
  const folders = [dirname(RALPH_FOLDER), RALPH_FOLDER].map((path) => kindOf(join(root, path)));
  return folders.some((kind) => kind === false) || kindOf(join(root, lock())) === true;
}

/** True for a folder, false for something else, undefined for nothing. */
function kindOf(path: string): boolean | undefined {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

function textOf(error: RalphError, { blocks }: GateSession, root: string): string {
  const said = messageOf(error).replace(/\.?$/, '.');
  const why =
    error.code === 'config_changed'
      ? ''
      : 'The checks cannot run on the files of now, and could at the start: ';
  const reason = `${why}${said} ${error.hint ?? ''}`;
  return renderBlock({
    decision: { ...NOTHING, others: [reason.trim()] },
    next: '',
    before: '',
    delta: { fixed: [], same: [], new: [], unseen: [] },
    number: blocks + 1,
    limit: MOST_BLOCKS,
    repository: root,
  });
}

const NOTHING = {
  passed: false,
  forbidden: [],
  missing: [],
  failures: [],
  unmet: [],
  others: [],
  stillRed: [],
};
