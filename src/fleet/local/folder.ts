import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type StateVariables } from '../../platform/files/state-folder.ts';
import { ownUserId } from '../../platform/processes/own-user.ts';

/** Names in the folder. */
export const DATA = 'postgres';
export const SERVER_LOG = 'postgres.log';

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
  /** The password of the server's administrator. */
  readonly password: string;
  /** Locked while a process starts the server. */
  readonly startLock: string;
  /** Process id and log of the worker. */
  readonly workerPid: string;
  readonly workerLog: string;
}

/**
 * The folder of the local server: `RALPH_FLEET_DIR`, else in the user's state folder. PostgreSQL refuses to run as root
 * and could not read root's home folder, so root's server is in /var/lib.
 */
export function localFolder(env: StateVariables): LocalFolder {
  const { RALPH_FLEET_DIR: given = '' } = env;
  const usual = ownUserId() === 0 ? '/var/lib/ralph-fleet' : join(stateFolder(env), 'fleet');
  const root = given === '' ? usual : given;
  return {
    root,
    data: join(root, DATA),
    serverLog: join(root, SERVER_LOG),
    address: join(root, 'address'),
    password: join(root, 'password'),
    startLock: join(root, 'start.lock'),
    workerPid: join(root, 'worker.pid'),
    workerLog: join(root, 'worker.log'),
  };
}

/** The address of the local server's database; undefined if `ralph fleet up` has not made one. */
export function localAddress(env: StateVariables): string | undefined {
  const { address } = localFolder(env);
  try {
    const text = existsSync(address) ? readFileSync(address, 'utf8').trim() : '';
    // A disk that was full leaves an empty file.
    return URL.canParse(text) ? text : undefined;
  } catch {
    // Another user's server.
    return undefined;
  }
}
