import { accessSync, constants, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';

/** Debian and its relatives keep the server's programs out of PATH, one folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const NEEDED = ['initdb', 'pg_ctl', 'postgres'];

/** The folder with PostgreSQL's server programs, the newest version first; undefined if it is not installed. */
export function findPostgres(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return [...onPath, ...debianFolders()].find((folder) =>
    NEEDED.every((name) => isProgram(join(folder, name))),
  );
}

/** The error for a machine without PostgreSQL, with the command that installs it. */
export function postgresMissing(): RalphError {
  return new RalphError('PostgreSQL is not installed on this machine.', {
    code: 'database_failed',
    exitCode: ExitCode.usage,
    hint: `Install it: ${installCommand()}\nOr use a server elsewhere: DATABASE_URL=postgres://user:password@host:5432/database`,
  });
}

function debianFolders(): string[] {
  try {
    const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(DEBIAN, version, 'bin'));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Package commands by the ids of os-release(5). */
const COMMANDS: readonly (readonly [pattern: RegExp, command: string])[] = [
  [/debian|ubuntu/, 'apt-get install postgresql'],
  [/fedora|rhel|centos/, 'dnf install postgresql-server'],
  [/alpine/, 'apk add postgresql'],
  [/arch/, 'pacman -S postgresql'],
  [/suse/, 'zypper install postgresql-server'],
];

function installCommand(): string {
  if (process.platform === 'darwin') return 'brew install postgresql';
  let release = '';
  try {
    release = readFileSync('/etc/os-release', 'utf8');
  } catch {
    // Unknown system: the command of the most common one is shown.
  }
  const ids = release.split('\n').filter((line) => /^ID(?:_LIKE)?=/.test(line));
  return COMMANDS.find(([pattern]) => ids.some((line) => pattern.test(line)))?.[1] ?? COMMANDS[0]![1];
}
