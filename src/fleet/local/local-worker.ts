import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode, RalphError } from '../../errors.ts';
import { processExists } from '../../platform/processes/process-exists.ts';
import { startDetached } from '../../platform/processes/start-detached.ts';
import type { LocalFolder } from './folder.ts';

const POLL_MS = 100;
const DRAIN_MS = 30_000;

export interface WorkerStart {
  /** Absolute path of the program `ralph`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Address of the database. */
  readonly address: string;
}

/** Starts the local fleet's worker, which goes on after this process; returns its process id. Throws RalphError. */
export function startLocalWorker(folder: LocalFolder, { program, env, address }: WorkerStart): number {
  const running = localWorker(folder);
  if (running !== undefined) return running;
  const pid = startDetached({
    file: process.execPath,
    args: [program, 'worker', '--name', 'local'],
    cwd: folder.root,
    env: { ...env, DATABASE_URL: address, RALPH_PROCESS_TAG: undefined },
    log: folder.workerLog,
  });
  if (typeof pid !== 'number')
    throw new RalphError(`The worker did not start: ${pid.failure}`, {
      code: 'database_failed',
      exitCode: ExitCode.unverified,
    });
  writeFileSync(folder.workerPid, `${pid}\n`, { mode: 0o600 });
  return pid;
}

/** Process id of the local fleet's worker; undefined if it does not run. */
export function localWorker({ workerPid }: LocalFolder): number | undefined {
  if (!existsSync(workerPid)) return undefined;
  const pid = Number(readFileSync(workerPid, 'utf8'));
  return Number.isInteger(pid) && pid > 1 && isWorker(pid) ? pid : undefined;
}

/** Ends the worker when its running steps are saved; after 30 s at once. False if it did not run. */
export async function stopLocalWorker(folder: LocalFolder): Promise<boolean> {
  const pid = localWorker(folder);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; processExists(pid) && waited < DRAIN_MS; waited += POLL_MS) await sleep(POLL_MS);
  if (processExists(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder.workerPid, { force: true });
  return true;
}

/** A process id may belong to another program by now. */
function isWorker(pid: number): boolean {
  if (!processExists(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('worker');
  } catch {
    return process.platform !== 'linux';
  }
}
