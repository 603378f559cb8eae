import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode, RalphError, messageOf } from '../../errors.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { isPassing } from '../database/database-error.ts';
import { hasOwnData, isOwnData, makeData, readPassword, renewPassword } from './data-folder.ts';
import { openFleetFolder, whileAlone } from './fleet-folder.ts';
import { localAddress, type LocalFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { findPostgres, postgresMissing } from './postgres-programs.ts';
import { isRunning, startServer, stopServer, type Server } from './server-programs.ts';
import { serverUser } from './server-user.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OWNER = 'ralph';
const ANSWER_MS = 60_000;
const POLL_MS = 200;

/**
 * Starts the PostgreSQL of this machine with its data in `folder`, which is made on the first call, and returns the
 * address of the database, which answers. A server that runs already is left alone. Data that are there are never removed: if
 * only the address is lost, it is found again. Throws RalphError if PostgreSQL is not installed, does not start, or if
 * something else is in the place of its data.
 */
export async function startLocalServer(folder: LocalFolder, env: Environment): Promise<string> {
  const server = serverOf(folder, env);
  await openFleetFolder(folder, server.user);
  return whileAlone(folder, async () => {
    const isThere = hasOwnData(folder);
    const address = isThere ? localAddress({ ...env, RALPH_FLEET_DIR: folder.root }) : undefined;
    if (address !== undefined) {
      await startUntilItAnswers(server, address);
      return address;
    }
    if (!isThere) await makeData(server);
    return findNewAddress(server);
  });
}

/** Stops the server; false if it did not run. Its data stay. Throws RalphError if PostgreSQL is not installed. */
export async function stopLocalServer(folder: LocalFolder, env: Environment): Promise<boolean> {
  const server = serverOf(folder, env);
  if (!isOwnData(folder.data) || !(await isRunning(server))) return false;
  await stopServer(server);
  return true;
}

/** True if the server of this folder runs. False if PostgreSQL is not installed. */
export async function localServerRuns(folder: LocalFolder, env: Environment): Promise<boolean> {
  if (findPostgres(env) === undefined || !existsSync(folder.data)) return false;
  return isRunning(serverOf(folder, env));
}

function serverOf(folder: LocalFolder, env: Environment): Server {
  const programs = findPostgres(env);
  if (programs === undefined) throw postgresMissing();
  return { folder, programs, user: serverUser(), env };
}

/** Starts a server whose data have no address: new ones, or those whose file was lost. Returns and stores the address. */
async function findNewAddress(server: Server): Promise<string> {
  const { folder } = server;
  // The same port as before, if there was one: workers of this machine connect again by themselves.
  const port = earlierPort(folder) ?? (await freePort());
  const addressOf = (user: string, password: string): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${user}`;
  let password = readPassword(folder);
  if (password !== undefined) await startUntilItAnswers(server, addressOf('postgres', password));
  if (password === undefined || !(await isAccepted(addressOf('postgres', password)))) {
    if (await isRunning(server)) await stopServer(server);
    await renewPassword(server);
    password = readPassword(folder)!;
    await startUntilItAnswers(server, addressOf('postgres', password));
  }
  await makeDatabase(addressOf('postgres', password), password);
  const address = addressOf(OWNER, password);
  // Last: a folder with an address has a complete database.
  await writeDurably(folder.address, `${address}\n`, { mode: 0o600 });
  return address;
}

/** The port that the server was started with, as PostgreSQL notes it; undefined if it never was. */
function earlierPort({ data }: LocalFolder): number | undefined {
  const [, port] = /"-p" "(\d+)"/.exec(textOf(join(data, 'postmaster.opts'))) ?? [];
  return port === undefined ? undefined : Number(port);
}

/**
 * Starts the server unless it runs, until it answers: one that was killed counts as running until the system has removed its
 * process, and cannot be started again before its last connections have ended.
 */
async function startUntilItAnswers(server: Server, address: string): Promise<void> {
  const until = performance.now() + ANSWER_MS;
  let problem: unknown;
  do {
    try {
      if (!(await isRunning(server))) await startServer(server, Number(new URL(address).port));
      await ask(address);
      return;
    } catch (error) {
      problem = error;
      // It answers, although with a refusal.
      if (!(error instanceof RalphError) && !isPassing(error)) return;
      if (error instanceof RalphError && !/still in use|is another postmaster/i.test(error.message))
        throw error;
    }
    await sleep(POLL_MS);
  } while (performance.now() < until);
  if (problem instanceof RalphError) throw problem;
  throw new RalphError(`PostgreSQL in ${server.folder.root} does not answer: ${messageOf(problem)}`, {
    code: 'database_failed',
    exitCode: ExitCode.workspace,
    hint: `Its log is ${server.folder.serverLog}.`,
  });
}

async function isAccepted(address: string): Promise<boolean> {
  try {
    await ask(address);
    return true;
  } catch {
    return false;
  }
}

/** Rejects with the driver's error. */
async function ask(address: string, ...statements: readonly string[]): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of ['SELECT 1', ...statements]) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes the owner, an ordinary user for whom row-level security holds, and its database, unless they are there. */
async function makeDatabase(administrator: string, password: string): Promise<void> {
  const { default: pg } = await import('pg');
  const login = `ROLE ${OWNER} LOGIN PASSWORD ${pg.escapeLiteral(password)}`;
  for (const statement of [`CREATE ${login}`, `ALTER ${login}`, `CREATE DATABASE ${OWNER} OWNER ${OWNER}`])
    try {
      await ask(administrator, statement);
    } catch (error) {
      // duplicate_object, duplicate_database
      if (!['42710', '42P04'].includes((error as { readonly code?: string }).code ?? '')) throw error;
    }
}
