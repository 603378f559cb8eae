import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { runProcess, type ProcessOutcome } from '../../platform/processes/process.ts';
import { DATA, SERVER_LOG, type LocalFolder } from './folder.ts';
import type { ServerUser } from './server-user.ts';

/** The programs of the local server, the folder that they work in, and the user that they run as. */
export interface Server {
  readonly folder: LocalFolder;
  /** Folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly user: ServerUser;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ServerCall {
  readonly program: 'initdb' | 'pg_ctl' | 'postgres';
  readonly args: readonly string[];
  readonly input?: string;
}

const TIMEOUT_MS = 60_000;
const SHOWN_CHARS = 600;

/**
 * Runs a program of PostgreSQL in the folder. The server that it starts goes on after it. Paths are given relative to the
 * folder, because pg_ctl passes them through a shell, to which a `$` in the name of the folder would mean something.
 */
export function runServerProgram(
  { folder, programs, user, env }: Server,
  { program, args, input }: ServerCall,
): Promise<ProcessOutcome> {
  const [file, ...rest] = [...user.prefix, join(programs, program), ...args];
  const { PATH, TMPDIR } = env;
  return runProcess({
    file: file!,
    args: rest,
    cwd: folder.root,
    env: { PATH, TMPDIR, LC_ALL: 'C.UTF-8' },
    timeoutMs: TIMEOUT_MS,
    reap: false,
    ...(input === undefined ? {} : { input }),
  });
}

/** True if the server of the folder runs. */
export async function isRunning(server: Server): Promise<boolean> {
  if (!existsSync(server.folder.data)) return false;
  return (await runServerProgram(server, { program: 'pg_ctl', args: ['status', '-D', DATA] })).exitCode === 0;
}

/** Starts the server on a port of 127.0.0.1, without a socket file, whose path may be too long. Throws RalphError. */
export async function startServer(server: Server, port: number): Promise<void> {
  const { serverLog } = server.folder;
  if (!existsSync(serverLog)) {
    writeFileSync(serverLog, '', { mode: 0o600 });
    chownSync(serverLog, server.user.uid, server.user.gid);
  }
  const before = statSync(serverLog).size;
  const options = `-p ${port} -c unix_socket_directories=`;
  const args = ['start', '-w', '-D', DATA, '-l', SERVER_LOG, '-o', options];
  const started = await runServerProgram(server, { program: 'pg_ctl', args });
  if (started.exitCode !== 0)
    throw serverFailed(server, { outcome: started, step: 'start', causes: causesIn(serverLog, before) });
}

/** Stops the server. Throws RalphError. */
export async function stopServer(server: Server): Promise<void> {
  const args = ['stop', '-w', '-m', 'fast', '-D', DATA];
  const outcome = await runServerProgram(server, { program: 'pg_ctl', args });
  if (outcome.exitCode !== 0) throw serverFailed(server, { outcome, step: 'stop' });
}

interface ServerFailure {
  readonly outcome: ProcessOutcome;
  readonly step: string;
  /** What the log of the server says; empty if it says nothing. */
  readonly causes?: string;
}

/** The error for a program of PostgreSQL that failed. */
export function serverFailed({ folder }: Server, { outcome, step, causes = '' }: ServerFailure): RalphError {
  const { failure, stderr, stdout } = outcome;
  const said = failure ?? (causes || stderr.trim() || stdout.trim());
  return new RalphError(`PostgreSQL in ${folder.root} failed at ${step}: ${said.slice(-SHOWN_CHARS)}`, {
    code: 'database_failed',
    exitCode: ExitCode.workspace,
    hint: `Nothing was deleted. The log of the server is ${folder.serverLog}.`,
  });
}

/** The lines of the log from a place on that say why the server ended, without their time. */
function causesIn(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString('utf8').split('\n');
  return lines.flatMap((line) => /(?:FATAL|PANIC|HINT|DETAIL): .*/.exec(line)?.[0] ?? []).join('\n');
}
