import { blocksBefore } from '../../gate/blocks.ts';
import { BY_HAND, openSessionStore, type SessionStore } from '../../gate/session-store.ts';
import type { GateAnswer, GateSession } from '../../schema/generated.ts';
import { acquireLock } from '../../state/lock.ts';
import { programsStamp } from '../installed-stamp.ts';
import { isOfHead, readHead } from './answer-head.ts';
import { settle, stampOfAsked, type CheckAnswer, type CheckRequest } from './answer.ts';
import { filesStamp } from './files-stamp.ts';
import { GATE_ID } from './gate-id.ts';
import { notesOn } from './notes.ts';
import { arePackagesAsThen } from './packages-as-then.ts';

/**
 * The answer of the check before, where sizes and times of all files of the repository at `root` show that nothing has changed
 * since; else undefined. It starts no process, so that an agent waits for nothing. Throws RalphError if the session is damaged
 * or the repository is locked.
 */
export async function answerUnchanged(request: CheckRequest, root: string): Promise<CheckAnswer | undefined> {
  if (request.trees !== undefined) return undefined;
  const store = openSessionStore(root);
  const known = findUnchanged(store, request, root);
  if (known === undefined) return undefined;
  if (known.answer.passed && known.session.blocks === 0) return settleAs(known, store, { request, root });
  // The block is counted: another check of the session must not count at the same time.
  const lock = acquireLock(root, { loopId: GATE_ID, command: 'gate' });
  try {
    const locked = findUnchanged(store, request, root);
    return locked && (await settleAs(locked, store, { request, root }));
  } finally {
    lock.release();
  }
}

interface Unchanged {
  readonly session: GateSession;
  readonly answer: GateAnswer;
}

function findUnchanged(store: SessionStore, request: CheckRequest, root: string): Unchanged | undefined {
  const session = store.read(request.session) ?? store.read(BY_HAND);
  const answer = session?.last;
  if (answer?.asked !== stampOfAsked(request)) return undefined;
  if (answer?.files === undefined || session?.watched === undefined || session.root !== root)
    return undefined;
  if (!isOfHead(answer, () => readHead(root))) return undefined;
  if (answer.programs !== programsStamp(root, session.watched.folders)) return undefined;
  if (answer.files !== filesStamp(root, process.env)) return undefined;
  return arePackagesAsThen(root, session.watched.folders, answer) ? { session, answer } : undefined;
}

interface Asked {
  readonly request: CheckRequest;
  readonly root: string;
}

function settleAs(
  { session: found, answer }: Unchanged,
  store: SessionStore,
  { request, root }: Asked,
): Promise<CheckAnswer> {
  const repository = { root };
  const session = { ...found, blocks: blocksBefore(found.blocks, request.isContinued) };
  const isStored = answer.passed && found.blocks === 0;
  const notes = notesOn(found, request, { root, store });
  return settle({ request, repository, store }, session, { answer, notes, isKnown: true, isStored });
}
