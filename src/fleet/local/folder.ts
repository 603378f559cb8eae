import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type StateVariables } from '../../platform/files/state-folder.ts';
import { ownUserId } from '../../platform/processes/own-user.ts';

/** Paths of the server that `ralph fleet up` starts. */
export interface LocalFolder {
  /** Absolute path. */
  readonly root: string;
  /** PostgreSQL's data. */
  readonly data: string;
  /** PostgreSQL's log. */
  readonly serverLog: string;
  /** The address of the database, with its password; readable by this user alone. */
  readonly address: string;
  /** Process id and log of the worker. */
  readonly workerPid: string;
  readonly workerLog: string;
}

/**
 * The folder of the local server: `RALPH_FLEET_DIR`, else in the user's state folder. PostgreSQL refuses to run as root
 * and could not read root's home folder, so root's server is in /var/lib.
 */
export function localFolder(env: StateVariables): LocalFolder {
  const root =
    env.RALPH_FLEET_DIR ?? (ownUserId() === 0 ? '/var/lib/ralph-fleet' : join(stateFolder(env), 'fleet'));
  return {
    root,
    data: join(root, 'postgres'),
    serverLog: join(root, 'postgres.log'),
    address: join(root, 'address'),
    workerPid: join(root, 'worker.pid'),
    workerLog: join(root, 'worker.log'),
  };
}

/** The address of the local server's database; undefined if `ralph fleet up` has not made one. */
export function localAddress(env: StateVariables): string | undefined {
  const { address } = localFolder(env);
  try {
    return existsSync(address) ? readFileSync(address, 'utf8').trim() : undefined;
  } catch {
    // Another user's server.
    return undefined;
  }
}
