import { readFileSync } from 'node:fs';
import { ExitCode, RalphError } from '../../errors.ts';
import { ownUserId } from '../../platform/processes/own-user.ts';

/** The user that PostgreSQL runs as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /** Words in front of a command that run it as this user; none if it is the user of this process. */
  readonly prefix: readonly string[];
}

/** Users that a root process may give the server to, the best first. */
const CANDIDATES = ['postgres', 'nobody'];

/** The user of this process, or an ordinary one if this process is root's, which PostgreSQL refuses. Throws RalphError. */
export function serverUser(): ServerUser {
  const uid = ownUserId();
  if (uid !== 0) return { uid, gid: process.getgid!(), prefix: [] };
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of CANDIDATES) {
    const [, , id, group] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (id === undefined || group === undefined) continue;
    const prefix = ['setpriv', `--reuid=${id}`, `--regid=${group}`, '--clear-groups', '--'];
    return { uid: Number(id), gid: Number(group), prefix };
  }
  throw new RalphError(
    'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody".',
    {
      code: 'database_failed',
      exitCode: ExitCode.usage,
      hint: 'Run ralph fleet up as an ordinary user.',
    },
  );
}
