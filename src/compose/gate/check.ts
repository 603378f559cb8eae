import { relative } from 'node:path';
import { blocksBefore, MOST_BLOCKS } from '../../gate/blocks.ts';
import type { Decision } from '../../gate/decision.ts';
import { renderBlock, renderRepeated } from '../../gate/message.ts';
import { BY_HAND, openSessionStore, type SessionStore } from '../../gate/session-store.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import type { TreeId } from '../../ports.ts';
import { deltaOf } from '../../checks/score/delta.ts';
import type { Diagnostic, Evaluation, GateAnswer, GateSession } from '../../schema/generated.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { foldersOf, surroundingsStamp } from '../evaluation-key.ts';
import type { Project } from '../project.ts';
import { committedTree } from './committed-trees.ts';
import { openGateProject, type GateCall } from './gate-project.ts';
import { judgeTree, type Listener } from './judge.ts';
import { rememberBlock, rememberPass } from './remember.ts';
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

/** Used for the lock, since no loop runs. */
const LOCK_ID = 'ralph-gate';
/** A check of the same repository may be running: it is likely the same one. */
const LOCK_WAIT_MS = 15 * 60_000;
const RED_SINCE = 'Red since the start:';
const NOTHING_CHANGED = 'No file has changed since the start.';

/** Judges the files of now, or answers from the record if nothing has changed. Throws RalphError. */
export async function checkGate(request: CheckRequest): Promise<CheckAnswer> {
  const repository = await openRepository(request.cwd);
  const store = openSessionStore(repository.root);
  const lock = await waitForLock(repository.root, {
    loopId: LOCK_ID,
    waitMs: LOCK_WAIT_MS,
    signal: request.signal,
  });
  try {
    return await check({ request, repository, store });
  } finally {
    lock.release();
  }
}

interface CheckContext {
  readonly request: CheckRequest;
  readonly repository: Repository;
  readonly store: SessionStore;
}

async function check({ request, repository, store }: CheckContext): Promise<CheckAnswer> {
  const snapshots = await openSnapshots(repository, LOCK_ID);
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
  const { cwd, config } = session;
  const project = await openGateProject({
    ...request,
    cwd: cwd === '' ? repository.root : `${repository.root}/${cwd}`,
    flags: { ...config, ...request.flags },
  });
  const judged = await judge(project, { request, repository, store }, { session, tree });
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

interface Settled extends Pick<CheckAnswer, 'isKnown' | 'evaluation' | 'baseline'> {
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
  const text = passed || !isKnown ? answer.text : repeatedText(answer, { request, repository, number });
  const next = {
    ...session,
    checks: session.checks + (isKnown ? 0 : 1),
    blocks: passed || isSpent ? 0 : number,
    last: answer,
    ...(watched && { watched }),
  };
  await store.write(next);
  const isNoteworthy = passed && text.includes(RED_SINCE);
  return { passed, isSpent, text, isNoteworthy, isKnown, session: next, ...judged };
}

interface Repeated extends Pick<CheckContext, 'request' | 'repository'> {
  readonly number: number;
}

function repeatedText({ text }: GateAnswer, { request, repository, number }: Repeated): string {
  const shown = request.isLimited ? { number, limit: MOST_BLOCKS } : { number: 0, limit: 0 };
  return renderRepeated(text, { ...shown, repository: repository.root });
}

interface JudgeStep {
  readonly session: GateSession;
  readonly tree: TreeId;
}

async function judge(
  project: Project,
  { request, store }: CheckContext,
  { session, tree }: JudgeStep,
): Promise<Settled> {
  const { emit, signal, said, isLimited } = request;
  const { repository, plan, settings } = project;
  const watched = {
    folders: foldersOf(plan),
    carry: [...settings.carry, ...(plan.carry ?? []).map((path) => `/${path}`)],
  };
  const at = new Date().toISOString();
  const noted = { at, tree, surroundings: await surroundingsStamp(repository, watched) };
  const asksNothing = settings.accept.length + settings.acceptTests.length === 0 && !session.all_green;
  if (tree === session.base_tree && asksNothing) {
    const text = NOTHING_CHANGED;
    return { answer: { ...noted, passed: true, text }, watched, isKnown: false };
  }
  const context = { session, store, emit, signal };
  const judgement = await judgeTree(project, tree, context);
  signal.throwIfAborted();
  const { decision, evaluation, baseline, previous } = judgement;
  const judged = { evaluation, baseline, watched, isKnown: false };
  if (decision.passed) {
    await rememberPass(project, { ...context, judgement, said });
    return { ...judged, answer: { ...noted, passed: true, text: describePass(decision) } };
  }
  const { path, reflection } = await rememberBlock(project, { ...context, judgement, said });
  const next = nextStep(decision, reflection.self_reflection.actionable_insights[0]);
  const text = renderBlock({
    decision,
    next,
    before: session.last?.passed === false ? (session.last.next ?? '') : '',
    delta: deltaOf(decision.failures, unlessKnown(previous, baseline)),
    number: isLimited ? session.blocks + 1 : 0,
    limit: MOST_BLOCKS,
    repository: repository.root,
  });
  return { ...judged, answer: { ...noted, passed: false, text, next, reflection: path } };
}

/** Forbidden changes come first: while they stand, no check can be believed. */
function nextStep({ forbidden }: Decision, insight: string | undefined): string {
  return (forbidden[0] ?? insight ?? '').slice(0, 2000);
}

/** One sentence, and another one on what was red from the start. */
function describePass({ stillRed }: Decision): string {
  const rest = stillRed.length === 0 ? '' : ` ${RED_SINCE} ${stillRed.join('; ')}.`;
  return `Nothing that was green is red, and nothing that judges the work was changed.${rest}`;
}

/** Failures of the check before that the base does not have. */
function unlessKnown({ diagnostics }: Evaluation, baseline: Evaluation): Diagnostic[] {
  const known = new Set(baseline.diagnostics.map(({ test_id: id, fingerprint }) => id ?? fingerprint));
  return diagnostics.filter(({ test_id: id, fingerprint }) => !known.has(id ?? fingerprint));
}
