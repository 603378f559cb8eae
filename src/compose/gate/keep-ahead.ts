import { setTimeout as delay } from 'node:timers/promises';
import { BY_HAND, openSessionStore } from '../../gate/session-store.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { tryLock } from '../../platform/files/sqlite-lock.ts';
import { acquireLock } from '../../state/lock.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import { surroundingsStamp } from '../evaluation-key.ts';
import { programsStamp } from '../installed-stamp.ts';
import { evaluateAhead } from './ahead.ts';
import { useEnvironmentOfStart } from './environment-of-start.ts';
import { filesStamp } from './files-stamp.ts';
import { openGateSnapshots } from './gate-snapshots.ts';
import { GATE_ID } from './gate-id.ts';
import type { GateCall } from './gate-project.ts';
import { withNeeded } from './needed-files.ts';
import { openSessionProject } from './session-project.ts';

/** Files are judged ahead when they have stayed the same for this long. */
const QUIET_MS = 1_000;
const POLL_MS = 500;
/** An agent that edits for longer calls again. */
const LIFE_MS = 10 * 60_000;

/** A session whose files are judged before its agent wants to stop. */
export interface AheadCall extends GateCall {
  readonly session: string;
  readonly signal: AbortSignal;
}

/**
 * Judges the files of a session while its agent still works, and again when they change, until they stay the same. What passes
 * is stored for the stop. One process of a repository does this; it gives way to every other use of the repository. Throws
 * RalphError if a check cannot run.
 */
export async function keepAhead(call: AheadCall): Promise<void> {
  const repository = await openRepository(call.cwd);
  const { root } = repository;
  ensureRalphFolder(root);
  useEnvironmentOfStart(openSessionStore(root), call.session);
  const only = tryLock(ralphFolder(root).aheadLock(), { waitMs: 0 });
  if (only.kind !== 'held') return;
  const end = performance.now() + LIFE_MS;
  try {
    let judged: string | undefined;
    while (performance.now() < end) {
      const files = await quietFiles(root, call.signal);
      if (files === undefined || files === judged) return;
      judged = files;
      if (!(await judgeQuietFiles(call, repository, files))) return;
    }
  } finally {
    only.lock.release();
  }
}

/** The stamp of the files once they have stayed the same; undefined if there is none, or if the process shall end. */
async function quietFiles(root: string, signal: AbortSignal): Promise<string | undefined> {
  let before = filesStamp(root, process.env);
  while (before !== undefined && !signal.aborted) {
    await delay(QUIET_MS, undefined, { signal }).catch(() => undefined);
    const now = filesStamp(root, process.env);
    if (now === before && !signal.aborted) return now;
    before = now;
  }
  return undefined;
}

/** Resolves to false if another process wants the repository. */
async function judgeQuietFiles(call: AheadCall, repository: Repository, files: string): Promise<boolean> {
  const { root } = repository;
  const ended = new AbortController();
  const changed = new AbortController();
  const lock = acquireLock(root, {
    ...{ loopId: GATE_ID, command: 'gate ahead' },
    asks: () => false,
    yielding: { work: files, onAsked: () => ended.abort() },
  });
  const timer = setInterval(() => {
    if (filesStamp(root, process.env) !== files) changed.abort();
  }, POLL_MS);
  try {
    const signal = AbortSignal.any([call.signal, ended.signal, changed.signal]);
    await judgeOnce({ ...call, signal }, repository);
  } catch (error) {
    if (!changed.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    lock.release();
  }
  return !ended.signal.aborted && !call.signal.aborted;
}

async function judgeOnce({ session: id, signal, ...call }: AheadCall, repository: Repository): Promise<void> {
  const store = openSessionStore(repository.root);
  const known = store.read(id) ?? store.read(BY_HAND);
  if (known === undefined) return;
  const snapshots = await openGateSnapshots(repository, GATE_ID);
  const tree = await snapshots.snapshot(repository.root);
  const { session } = await withNeeded(known, async (session) => {
    const { project, watched, ...stamps } = await openSessionProject(call, repository, session);
    const needed = await evaluateAhead(project, tree, {
      ...{ session, store, snapshots, signal, ...stamps },
      emit: () => {},
      isCurrent: async () =>
        programsStamp(repository.root, watched.folders) === stamps.programs &&
        (await surroundingsStamp(repository, watched)) === stamps.surroundings,
    });
    return needed ?? {};
  });
  if (session !== known) await store.write(session);
}
