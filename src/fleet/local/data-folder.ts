import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { usageError } from '../../errors.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { LocalFolder } from './folder.ts';
import { runServerProgram, serverFailed, type Server } from './server-programs.ts';

/** The server is for this machine: few connections, and nothing to replicate to. */
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 100',
  "wal_level = 'minimal'",
  'max_wal_senders = 0',
];
const SETTINGS_FILE = 'postgresql.auto.conf';

/**
 * True if the folder has the data of a server that ralph has made, false if it has none. Throws a usage error for anything
 * else that is there: what ralph has not made is neither used nor removed.
 */
export function hasOwnData({ root, data, address }: LocalFolder): boolean {
  if (isEmpty(data)) {
    if (!existsSync(address)) return false;
    throw usageError(
      `The data of the fleet in ${root} are gone: ${address} is there, and ${data} is not.`,
      `Put the data back. Or begin with an empty fleet: rename ${address}, and run ralph fleet up again.`,
    );
  }
  if (isOwnData(data)) return true;
  const what = existsSync(join(data, 'PG_VERSION'))
    ? 'has a PostgreSQL cluster that ralph fleet up has not made, or not to its end'
    : 'has files, but is not a PostgreSQL cluster: PG_VERSION is missing';
  throw usageError(
    `${data} ${what}. Nothing was changed.`,
    `Set RALPH_FLEET_DIR to another folder. If it is not needed any more, rename it: mv '${data}' '${data}.old'`,
  );
}

/** True for a cluster with the settings that `makeData` writes when it is complete. */
export function isOwnData(data: string): boolean {
  return existsSync(join(data, 'PG_VERSION')) && textOf(join(data, SETTINGS_FILE)).includes(SETTINGS[0]!);
}

/**
 * Makes the data under another name, and gives them their own when they are complete. What an interrupted call leaves stays
 * where it is, and is not used. Throws RalphError.
 */
export async function makeData(server: Server): Promise<void> {
  const { folder, user } = server;
  const password = writePassword(server);
  const made = mkdtempSync(join(folder.root, 'postgres-new-'));
  chownSync(made, user.uid, user.gid);
  const args = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--username=postgres'];
  const places = [`--pwfile=${basename(password)}`, `--pgdata=${basename(made)}`];
  const outcome = await runServerProgram(server, { program: 'initdb', args: [...args, ...places] });
  if (outcome.exitCode !== 0) {
    // This call's own folder, which no server has ever used.
    rmSync(made, { recursive: true, force: true });
    throw serverFailed(server, { outcome, step: 'initdb' });
  }
  writeFileSync(join(made, SETTINGS_FILE), `${SETTINGS.join('\n')}\n`);
  renameSync(made, folder.data);
}

/** Gives the administrator of a server that does not run a new password. Throws RalphError. */
export async function renewPassword(server: Server): Promise<void> {
  const password = readFileSync(writePassword(server), 'utf8').trim();
  const outcome = await runServerProgram(server, {
    program: 'postgres',
    args: ['--single', '-D', basename(server.folder.data), 'postgres'],
    input: `ALTER ROLE postgres PASSWORD '${password}'\n`,
  });
  if (outcome.exitCode !== 0) throw serverFailed(server, { outcome, step: 'setting a new password' });
}

/** The password of the administrator; undefined if its file is missing or empty. */
export function readPassword({ password }: LocalFolder): string | undefined {
  const text = textOf(password).trim();
  return text === '' ? undefined : text;
}

/** Path of the file with the new password, which this user and the server's can read. */
function writePassword({ folder: { password }, user }: Server): string {
  writeFileSync(password, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  chownSync(password, user.uid, user.gid);
  return password;
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}
