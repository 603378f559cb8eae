import { limitGit } from '../../platform/git/limits.ts';
import { freshState } from '../../loop/state.ts';
import type { Verdict } from '../../schema/generated.ts';
import { acquireLock } from '../../state/lock.ts';
import { START_STEP } from '../../state/started-state.ts';
import { stopSignal, type LoopRequest } from './loop-request.ts';
import { pruneOldTrees } from '../old-trees.ts';
import { openStores } from './open-stores.ts';
import { runWiredLoop } from './run-wired-loop.ts';
import { wireLoop, type WiredLoop } from './wire-loop.ts';
import { withCriteria } from './task-proof.ts';
import { openWorkbench } from '../workbench.ts';

/** Loops without a verified result can be continued for a week. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

/** A loop that holds the repository's lock until it is closed. */
export interface LoopSession {
  /** `conflict` is true for a verified result that was stored as a branch because the user's tree had changed. */
  run(): Promise<{ readonly verdict: Verdict; readonly conflict: boolean }>;
  close(): Promise<void>;
}

/**
 * Locks the repository, opens workspace and stores, and wires the loop. Git commands end with the signal and with the time
 * of the loop; until it is open, also when the user asks it to stop. Throws RalphError.
 */
export function openLoop(request: LoopRequest): Promise<LoopSession> {
  const started = performance.now();
  const { maxTimeMs } = request.project.settings;
  const timeLeftMs = (): number | undefined =>
    maxTimeMs === undefined ? undefined : maxTimeMs - (performance.now() - started);
  const limits = { signal: request.signal, timeLeftMs };
  return limitGit({ signal: stopSignal(request), timeLeftMs }, async () => {
    const session = await open(request);
    return { ...session, run: () => limitGit(limits, () => session.run()) };
  });
}

async function open(given: LoopRequest): Promise<LoopSession> {
  const request = { ...given, project: withCriteria(given.project, given.proof) };
  const { project, loopId, resumed, siblings } = request;
  const { root } = project.repository;
  const command = resumed ? 'resume' : 'run';
  const ownLock = request.lock === undefined ? acquireLock(root, { loopId, command }) : undefined;
  try {
    const stores = await openStores(request);
    const workbench = await openWorkbench(project, {
      loopId,
      base: request.base,
      hasActor: true,
      slot: siblings?.slot,
      removeStaleLocks: siblings?.isFirst,
    });
    siblings?.knownTrees.add(workbench.workspace.base);
    const wired = await wireLoop(request, workbench, stores);
    if (!resumed) await saveFreshState(wired);
    return {
      run: () => runWiredLoop(request, workbench, wired),
      async close() {
        await wired.closeSamples();
        await workbench.workspace.close();
        if (ownLock !== undefined && !request.stopRequested())
          await pruneOldTrees(root, { onlyIfDropped: true, keepMs: KEPT_MS }).catch(() => undefined);
        ownLock?.release();
      },
    };
  } catch (error) {
    ownLock?.release();
    throw error;
  }
}

/** Saves the state of a new loop, also in the journal, from which it is restored if its own file is damaged. */
async function saveFreshState({ ports, options }: WiredLoop): Promise<void> {
  const { actor, store, workspace } = ports;
  const state = freshState({
    ...options,
    loopId: store.loopId,
    actor: actor.name,
    baseTree: workspace.base,
  });
  await store.step(START_STEP, () => Promise.resolve(state));
  await store.saveState(state);
}
