import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import type { BenchServer } from './server.ts';
import { serverCpu } from './server-cpu.ts';
import { CHEAP, CHEAP_FLAGS, FIX, makeRemote, resultBranches } from './subject.ts';

/** CPU of one job in milliseconds, its checks and its actor included. */
export interface CostFigures {
  readonly jobs: number;
  readonly verified: number;
  /** `ralph run --branch` of the same loop in a checkout that is there. */
  readonly alone: number;
  /** The worker with mirror, checkout, loop and push. */
  readonly worker: number;
  /** PostgreSQL, without what a worker costs it that waits for as long. */
  readonly server: number;
  /** What was left out, by the second: heartbeats, supervision, looks for jobs. */
  readonly waiting_per_second: number;
  readonly overhead: number;
}

const run = promisify(execFile);

/** Runs the same loop alone and as jobs of one worker, one after the other, and compares their CPU. */
export async function measureCost(
  server: BenchServer,
  { jobs, program }: { readonly jobs: number; readonly program: string },
): Promise<CostFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-cost-'));
  try {
    const remote = makeRemote(folder);
    let alone = 0;
    for (let number = 0; number < jobs; number++) {
      const checkout = join(folder, `alone-${number}`);
      await run('git', ['clone', '--quiet', remote, checkout]);
      alone += await cpuOf([program, 'run', '--branch', '--quiet', '--command', FIX, ...CHEAP_FLAGS], {
        cwd: checkout,
      });
    }
    const fleet = await server.open();
    await submitJobs(
      fleet,
      Array.from({ length: jobs }, () => ({
        ...{ repository: repositoryOf(remote, '/'), ref: 'main', task: '', labels: [], priority: 0 },
        proof: { hasTask: false, criteria: [] },
        config: { ...CHEAP, actor: 'command' as const, command: FIX },
        delivery: 'branch' as const,
      })),
    );
    await fleet.close();
    const env = { ...process.env, DATABASE_URL: server.address };
    const args = [program, 'worker', '--sandbox', 'off', '--quiet', '--folder', join(folder, 'machine')];
    const start = performance.now();
    const before = serverCpu(server.pid());
    const worker = await cpuOf([...args, '--drain'], { env });
    const working = serverCpu(server.pid()) - before;
    const timeMs = performance.now() - start;
    const waiting = await waitingCpu(server, { args, env, timeMs });
    const database = Math.max(0, working - waiting);
    const per = (total: number): number => Math.round(total / jobs);
    return {
      jobs,
      verified: resultBranches(remote).length,
      ...{ alone: per(alone), worker: per(worker), server: per(database) },
      waiting_per_second: Math.round((waiting / timeMs) * 10_000) / 10,
      overhead: per(worker + database - alone),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** CPU of the server while a worker that finds no job runs for this time. */
async function waitingCpu(
  server: BenchServer,
  { args, env, timeMs }: { args: readonly string[]; env: NodeJS.ProcessEnv; timeMs: number },
): Promise<number> {
  const before = serverCpu(server.pid());
  const worker = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const ended = once(worker, 'exit');
  setTimeout(() => worker.kill('SIGTERM'), timeMs);
  await ended;
  return serverCpu(server.pid()) - before;
}

/** CPU of a program of Node and of all that it starts, in milliseconds. The shell waits for it, so it knows. */
async function cpuOf(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2>&1';
  const { stderr } = await run('bash', ['-c', script, 'bash', process.execPath, ...args], options);
  const [user, system] = stderr.trim().split(' ').map(Number);
  return (user! + system!) * 1000;
}
