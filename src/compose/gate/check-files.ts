import { relative } from 'node:path';
import { blocksBefore } from '../../gate/blocks.ts';
import { BY_HAND, openSessionStore, type SessionStore } from '../../gate/session-store.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { ensureRalphFolder } from '../../platform/ralph-folder.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { GateSession } from '../../schema/generated.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { surroundingsStamp } from '../evaluation-key.ts';
import { programsStamp } from '../installed-stamp.ts';
import { committedTree } from './committed-trees.ts';
import { isOfHead } from './answer-head.ts';
import { settle, stampOfAsked, type CheckAnswer, type CheckContext, type CheckRequest } from './answer.ts';
import { decidingVariables } from './environment-of-start.ts';
import { filesStamp } from './files-stamp.ts';
import { notesOn, notStarted } from './notes.ts';
import { arePackagesAsThen } from './packages-as-then.ts';
import { openGateSnapshots } from './gate-snapshots.ts';
import { GATE_ID } from './gate-id.ts';
import { settingVariables } from './variables-of-start.ts';
import { waitForLock } from './wait-for-lock.ts';

/** A check of the same repository may be running: it is likely the same one. */
const LOCK_WAIT_MS = 15 * 60_000;

/**
 * Takes a snapshot of the files of now and judges it, or answers from the record if the tree is the same. Throws RalphError.
 */
export async function checkFiles(request: CheckRequest): Promise<CheckAnswer> {
  const repository = await openRepository(request.cwd, { isConcluded: request.trees !== undefined });
  ensureRalphFolder(repository.root);
  const store = openSessionStore(repository.root);
  const files = request.trees === undefined ? filesStamp(repository.root, process.env) : undefined;
  const lock = await waitForLock(repository.root, {
    loopId: GATE_ID,
    // Whoever judges these very files ahead is nearly done.
    asks: ({ yieldsFrom }) => yieldsFrom !== files,
    waitMs: LOCK_WAIT_MS,
    signal: request.signal,
  });
  try {
    return await check({ request, repository, store });
  } finally {
    lock.release();
  }
}

async function check({ request, repository, store }: CheckContext): Promise<CheckAnswer> {
  const snapshots = await openGateSnapshots(repository, GATE_ID);
  const compared = await request.trees?.(repository, snapshots);
  const base = compared?.base;
  const known = findSession(store, request, base);
  // Before the snapshot: what changes between the two is seen by the next check.
  const files = compared === undefined ? filesStamp(repository.root, process.env) : undefined;
  const programs = known?.watched && programsStamp(repository.root, known.watched.folders);
  const [tree, surroundings] = await Promise.all([
    compared?.tree ?? snapshots.snapshot(repository.root),
    known?.watched && surroundingsStamp(repository, known.watched),
  ]);
  const found = known ?? (await sessionOfCommit(request, repository, { snapshots, base, store }));
  const notes = notesOn(found, request, { root: repository.root, store });
  const session = { ...found, blocks: blocksBefore(found.blocks, request.isContinued) };
  const seen = files !== undefined && (await isSeen(tree, snapshots)) ? { files } : {};
  const answer = found.last;
  // The answer of the check before, if the tree and what the checks read beside it are the same.
  const isAsked = answer?.asked === stampOfAsked(request) && isOfHead(answer, () => repository);
  const isSame = answer?.tree === tree && answer.surroundings === surroundings && isAsked;
  if (isSame && arePackagesAsThen(repository.root, found.watched?.folders ?? [], answer))
    return settle({ request, repository, store }, session, {
      answer: { ...answer, ...seen, ...(programs !== undefined && { programs }) },
      notes,
      isKnown: true,
    });
  // Loaded only now: an answer from the record must not wait for the modules that judge.
  const { judgeAnew } = await import('./judge-anew.ts');
  const { session: own, ...judged } = await judgeAnew(
    { request, repository, store },
    { session, tree, snapshots },
  );
  return settle({ request, repository, store }, own, {
    ...judged,
    answer: { ...judged.answer, ...seen },
    notes: [...notes, ...judged.notes],
  });
}

/** The stamp of the files leaves `node_modules` out, so it says nothing about a tree that has files there. */
async function isSeen(tree: TreeId, snapshots: Snapshots): Promise<boolean> {
  return !(await snapshots.listFiles(tree)).some(({ path }) => /(?:^|\/)node_modules\//.test(path));
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
  readonly store: SessionStore;
  readonly snapshots: Snapshots;
  readonly base: TreeId | undefined;
}

/** A session whose base is the commit that is checked out, for an agent that was not announced. */
async function sessionOfCommit(
  { session, agent, flags, env, isAllGreen, emit, startCommit }: CheckRequest,
  repository: Repository,
  { snapshots, base, store }: CommitBase,
): Promise<GateSession> {
  const now = new Date();
  const tree = base ?? (await committedTree(repository, snapshots, startCommit ?? 'HEAD'));
  if (base === undefined && startCommit === undefined)
    emit({ type: 'warning', text: notStarted(session, store) });
  return {
    // By hand, the next call compares with the commit of then.
    session: base === undefined && session !== BY_HAND ? session : commitSession(tree),
    loop_id: newLoopId(`gate ${agent}`, now),
    agent,
    started_at: now.toISOString(),
    cwd: base === undefined ? relative(repository.root, repository.packageStart) : '',
    base_tree: tree,
    root: repository.root,
    head: startCommit ?? repository.head,
    config: { ...flags },
    ...(base === undefined && { variables: settingVariables(env), environment: decidingVariables(env) }),
    all_green: isAllGreen,
    checks: 0,
    blocks: 0,
  };
}
