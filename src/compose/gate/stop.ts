import { BY_HAND, openSessionStore } from '../../gate/session-store.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { acquireLock } from '../../state/lock.ts';
import { GATE_ID } from './gate-id.ts';
import { releaseSnapshots } from './release-snapshots.ts';

/**
 * Forgets every session of the repository of a folder, with their snapshots, and returns the ids of the sessions. Throws
 * RalphError, `locked` while a loop or a check runs.
 */
export async function stopGate(cwd: string): Promise<string[]> {
  const root = findRepositoryRoot(cwd);
  const store = openSessionStore(root);
  const lock = acquireLock(root, { loopId: GATE_ID, command: 'gate' });
  try {
    const sessions = store.list();
    for (const one of sessions) {
      if (one.hooks === undefined || one.session === BY_HAND) store.remove(one.session);
      else await store.stop(one);
    }
    await releaseSnapshots({ root, store, prunes: true });
    return sessions.map(({ session }) => session);
  } finally {
    lock.release();
  }
}
