import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, RalphError, type ErrorCode } from '../../errors.ts';
import { blocksBefore, MOST_BLOCKS } from '../../gate/blocks.ts';
import { renderBlock } from '../../gate/message.ts';
import { BY_HAND, findSessionRoot, openSessionStore } from '../../gate/session-store.ts';
import { RALPH_FOLDER } from '../../platform/ralph-folder.ts';
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
  if (!(error instanceof RalphError) || !isLimited || trees !== undefined || id === BY_HAND) throw error;
  const root = findSessionRoot(id, request);
  if (root === undefined || !(IN_THE_TREE.includes(error.code) || isInTheWay(root))) throw error;
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
    text: textOf(error, session, root),
  };
  return settle({ request, repository: { root }, store }, session, { answer, notes: [], isKnown: false });
}

/** Whether something that is no folder lies where the folder of ralph was. */
function isInTheWay(root: string): boolean {
  try {
    return !lstatSync(join(root, dirname(RALPH_FOLDER))).isDirectory();
  } catch {
    return false;
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
