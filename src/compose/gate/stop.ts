import { openSessionStore } from '../../gate/session-store.ts';
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
    const sessions = store.list().map(({ session }) => session);
    for (const session of sessions) store.remove(session);
    await releaseSnapshots({ root, store, prunes: true });
    return sessions;
  } finally {
    lock.release();
  }
}
