import { relative } from 'node:path';
import { blocksBefore, MOST_BLOCKS } from '../../gate/blocks.ts';
import { isNoteworthy } from '../../gate/pass-text.ts';
import { BY_HAND, openSessionStore, type SessionStore } from '../../gate/session-store.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import type { TreeId } from '../../ports.ts';
import type { Evaluation, GateAnswer, GateSession } from '../../schema/generated.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { surroundingsStamp } from '../evaluation-key.ts';
import { committedTree } from './committed-trees.ts';
import type { GateCall } from './gate-project.ts';
import type { Listener } from './judge.ts';
import { GATE_ID } from './release-snapshots.ts';
import { waitForLock } from './wait-for-lock.ts';

/** A question whether an agent may stop. */
export interface CheckRequest extends GateCall, Listener {
  /** The agent's id of the session. */
  readonly session: string;
  /** The agent's name for people. */
  readonly agent: string;
  /** For a session that was not started: checks that are red in the base must be green as well. */
  readonly isAllGreen: boolean;
  /** True if the agent goes on because of the block before. */
  readonly isContinued: boolean;
  /** Whether the number of blocks in a row is limited. */
  readonly isLimited: boolean;
  /** The agent's last message; empty if it is not known. */
  readonly said: string;
  /** Trees to compare instead of the session's base and the files of now; undefined for a session. */
  readonly trees?: ((repository: Repository, snapshots: Snapshots) => Promise<ComparedTrees>) | undefined;
}

/** Two trees of ralph's snapshots. */
export interface ComparedTrees {
  readonly base: TreeId;
  readonly tree: TreeId;
}

/** The answer to an agent that wants to stop. */
export interface CheckAnswer {
  readonly passed: boolean;
  /** True if it did not pass and the agent is let go nevertheless, since it was blocked as often as is allowed. */
  readonly isSpent: boolean;
  /** For the agent if it did not pass, else one sentence or two. */
  readonly text: string;
  /** True if it passed and the agent's user must know more: checks are still red. */
  readonly isNoteworthy: boolean;
  /** True if the same tree was judged before, and nothing ran now. */
  readonly isKnown: boolean;
  /** Present if the tree was judged now. */
  readonly evaluation?: Evaluation;
  readonly baseline?: Evaluation;
  readonly session: GateSession;
}

/** A check of the same repository may be running: it is likely the same one. */
const LOCK_WAIT_MS = 15 * 60_000;

/** Judges the files of now, or answers from the record if nothing has changed. Throws RalphError. */
export async function checkGate(request: CheckRequest): Promise<CheckAnswer> {
  const repository = await openRepository(request.cwd);
  const store = openSessionStore(repository.root);
  const lock = await waitForLock(repository.root, {
    loopId: GATE_ID,
    waitMs: LOCK_WAIT_MS,
    signal: request.signal,
  });
  try {
    return await check({ request, repository, store });
  } finally {
    lock.release();
  }
}

/** A check, with the repository's sessions. */
export interface CheckContext {
  readonly request: CheckRequest;
  readonly repository: Repository;
  readonly store: SessionStore;
}

async function check({ request, repository, store }: CheckContext): Promise<CheckAnswer> {
  const snapshots = await openSnapshots(repository, GATE_ID);
  const compared = await request.trees?.(repository, snapshots);
  const base = compared?.base;
  const known = findSession(store, request, base);
  const [tree, surroundings] = await Promise.all([
    compared?.tree ?? snapshots.snapshot(repository.root),
    known?.watched && surroundingsStamp(repository, known.watched),
  ]);
  const found = known ?? (await sessionOfCommit(request, repository, { snapshots, base }));
  const session = { ...found, blocks: blocksBefore(found.blocks, request.isContinued) };
  const answer = found.last;
  // The answer of the check before, if the tree and what the checks read beside it are the same.
  if (answer?.tree === tree && answer.surroundings === surroundings)
    return settle({ request, repository, store }, session, { answer, isKnown: true });
  // Loaded only now: an answer from the record must not wait for the modules that judge.
  const { judgeAnew } = await import('./judge-anew.ts');
  const judged = await judgeAnew({ request, repository, store }, { session, tree });
  return settle({ request, repository, store }, session, judged);
}

/** The session of the agent, or the one that was started by hand; for git, the checks against the same commit. */
function findSession(
  store: SessionStore,
  { session }: CheckRequest,
  base: TreeId | undefined,
): GateSession | undefined {
  return base === undefined ? (store.read(session) ?? store.read(BY_HAND)) : store.read(commitSession(base));
}

/** Id for checks against a tree of a commit. */
function commitSession(base: TreeId): string {
  return `commit-${base}`;
}

interface CommitBase {
  readonly snapshots: Snapshots;
  readonly base: TreeId | undefined;
}

/** A session whose base is the commit that is checked out, for an agent that was not announced. */
async function sessionOfCommit(
  { session, agent, flags, isAllGreen, emit }: CheckRequest,
  repository: Repository,
  { snapshots, base }: CommitBase,
): Promise<GateSession> {
  const now = new Date();
  const tree = base ?? (await committedTree(repository, snapshots, 'HEAD'));
  if (base === undefined)
    emit({
      type: 'warning',
      text: 'The gate was not started before the work: the files are compared with the last commit.',
    });
  return {
    // By hand, the next call compares with the commit of then.
    session: base === undefined && session !== BY_HAND ? session : commitSession(tree),
    loop_id: newLoopId(`gate ${agent}`, now),
    agent,
    started_at: now.toISOString(),
    cwd: base === undefined ? relative(repository.root, repository.packageStart) : '',
    base_tree: tree,
    config: { ...flags },
    all_green: isAllGreen,
    checks: 0,
    blocks: 0,
  };
}

/** An answer that is not stored yet. */
export interface Settled extends Pick<CheckAnswer, 'isKnown' | 'evaluation' | 'baseline'> {
  readonly answer: GateAnswer;
  readonly watched?: GateSession['watched'];
}

/** Counts the block, stores the session and words the answer. */
async function settle(
  { request, repository, store }: CheckContext,
  session: GateSession,
  { answer, isKnown, watched, ...judged }: Settled,
): Promise<CheckAnswer> {
  const { passed } = answer;
  const number = session.blocks + 1;
  const isSpent = !passed && request.isLimited && number > MOST_BLOCKS;
  const text = passed || !isKnown ? answer.text : await repeatedText(answer, { request, repository, number });
  const next = {
    ...session,
    checks: session.checks + (isKnown ? 0 : 1),
    blocks: passed || isSpent ? 0 : number,
    last: answer,
    ...(watched && { watched }),
  };
  await store.write(next);
  return {
    passed,
    isSpent,
    text,
    isNoteworthy: passed && isNoteworthy(text),
    isKnown,
    session: next,
    ...judged,
  };
}

interface Repeated extends Pick<CheckContext, 'request' | 'repository'> {
  readonly number: number;
}

async function repeatedText(
  { text }: GateAnswer,
  { request, repository, number }: Repeated,
): Promise<string> {
  const { renderRepeated } = await import('../../gate/message.ts');
  const shown = request.isLimited ? { number, limit: MOST_BLOCKS } : { number: 0, limit: 0 };
  return renderRepeated(text, { ...shown, repository: repository.root });
}
