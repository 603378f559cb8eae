import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { runProcess, type ProcessOutcome } from '../../platform/processes/process.ts';
import { freePort } from './free-port.ts';
import type { LocalFolder } from './folder.ts';
import { findPostgres, postgresMissing } from './postgres-programs.ts';
import { serverUser, type ServerUser } from './server-user.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OWNER = 'ralph';
const TIMEOUT_MS = 60_000;
/** The server is for this machine: few connections, and nothing to replicate to. */
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 100',
  "wal_level = 'minimal'",
  'max_wal_senders = 0',
];

/**
 * Starts the PostgreSQL of this machine with its data in `folder`, which is made on the first call, and returns the
 * address of the database. A server that runs already is left alone. Throws RalphError if PostgreSQL is not installed, or
 * does not start.
 */
export async function startLocalServer(folder: LocalFolder, env: Environment): Promise<string> {
  const programs = findPostgres(env);
  if (programs === undefined) throw postgresMissing();
  const server = { folder, programs, user: serverUser(), env };
  if (existsSync(folder.address) && (await isRunning(server))) return readAddress(folder);
  const password = await makeData(server);
  // The same port as before: workers elsewhere on the machine connect again by themselves.
  const port = existsSync(folder.address) ? Number(new URL(readAddress(folder)).port) : await freePort();
  const options = `-p ${port} -k '${folder.root}'`;
  const started = await run(server, 'pg_ctl', ['start', '-w', '-l', folder.serverLog, '-o', options]);
  if (started.exitCode !== 0) throw notStarted(server, started);
  const address = `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}`;
  // Last: a folder with an address has a complete database.
  await makeDatabase({ port, password, folder });
  writeFileSync(folder.address, `${address}\n`, { mode: 0o600 });
  return address;
}

/** Stops the server; false if it did not run. Its data stay. Throws RalphError if PostgreSQL is not installed. */
export async function stopLocalServer(folder: LocalFolder, env: Environment): Promise<boolean> {
  const programs = findPostgres(env);
  if (programs === undefined) throw postgresMissing();
  const server = { folder, programs, user: serverUser(), env };
  if (!existsSync(folder.data) || !(await isRunning(server))) return false;
  const stopped = await run(server, 'pg_ctl', ['stop', '-w', '-m', 'fast']);
  if (stopped.exitCode !== 0) throw notStarted(server, stopped, 'stop');
  return true;
}

/** True if the server of this folder runs. False if PostgreSQL is not installed. */
export async function localServerRuns(folder: LocalFolder, env: Environment): Promise<boolean> {
  const programs = findPostgres(env);
  if (programs === undefined || !existsSync(folder.data)) return false;
  return isRunning({ folder, programs, user: serverUser(), env });
}

interface Server {
  readonly folder: LocalFolder;
  /** Folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly user: ServerUser;
  readonly env: Environment;
}

/** Makes the data on the first call. Returns the password of the database's owner. */
async function makeData(server: Server): Promise<string> {
  const { folder, user } = server;
  const passwordFile = join(folder.root, 'password');
  if (existsSync(folder.address)) return readFileSync(passwordFile, 'utf8').trim();
  mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  chownSync(folder.root, user.uid, user.gid);
  // Left by an earlier call that was interrupted: the server has never been used.
  rmSync(folder.data, { recursive: true, force: true });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  chownSync(passwordFile, user.uid, user.gid);
  const args = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--username=postgres'];
  const made = await run(server, 'initdb', [...args, `--pwfile=${passwordFile}`]);
  if (made.exitCode !== 0) throw notStarted(server, made, 'initdb');
  writeFileSync(join(folder.data, 'postgresql.auto.conf'), `${SETTINGS.join('\n')}\n`);
  return password;
}

/** Makes the owner, an ordinary user for whom row-level security holds, and its database. */
async function makeDatabase({
  port,
  password,
  folder,
}: {
  readonly port: number;
  readonly password: string;
  readonly folder: LocalFolder;
}): Promise<void> {
  if (existsSync(folder.address)) return;
  const { default: pg } = await import('pg');
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${OWNER} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
    await client.query(`CREATE DATABASE ${OWNER} OWNER ${OWNER}`);
  } finally {
    await client.end();
  }
}

function readAddress({ address }: LocalFolder): string {
  return readFileSync(address, 'utf8').trim();
}

async function isRunning(server: Server): Promise<boolean> {
  return (await run(server, 'pg_ctl', ['status'])).exitCode === 0;
}

/** Runs a program of PostgreSQL on the folder's data. The server that it starts goes on after it. */
function run(server: Server, program: string, args: readonly string[]): Promise<ProcessOutcome> {
  const { folder, programs, user, env } = server;
  const [file, ...rest] = [...user.prefix, join(programs, program), `--pgdata=${folder.data}`, ...args];
  const { PATH, TMPDIR } = env;
  return runProcess({
    file: file!,
    args: rest,
    cwd: existsSync(folder.root) ? folder.root : '/',
    env: { PATH, TMPDIR, LC_ALL: 'C.UTF-8' },
    timeoutMs: TIMEOUT_MS,
    reap: false,
  });
}

function notStarted(
  { folder }: Server,
  { stderr, stdout, failure }: ProcessOutcome,
  step = 'start',
): RalphError {
  const said = (failure ?? (stderr.trim() || stdout.trim())).slice(-600);
  return new RalphError(`PostgreSQL in ${folder.root} failed at ${step}: ${said}`, {
    code: 'database_failed',
    exitCode: ExitCode.state,
    hint: `Its log is ${folder.serverLog}.`,
  });
}
