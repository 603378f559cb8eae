import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import type { BenchServer } from './server.ts';
import { CHEAP, CHEAP_FLAGS, FIX, makeRemote, resultBranches } from './subject.ts';

/** CPU of one job in milliseconds, its checks and its actor included. */
export interface CostFigures {
  readonly jobs: number;
  readonly verified: number;
  /** `ralph run --branch` of the same loop in a checkout that is there. */
  readonly alone: number;
  /** The worker with mirror, checkout, loop and push. */
  readonly worker: number;
  /** PostgreSQL. */
  readonly server: number;
  readonly overhead: number;
}

const run = promisify(execFile);
/** Of `/proc`'s times. */
const MS_PER_TICK = 10;

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
    const before = serverCpu(server.pid());
    const args = ['--drain', '--sandbox', 'off', '--quiet', '--folder', join(folder, 'machine')];
    const worker = await cpuOf([program, 'worker', ...args], {
      env: { ...process.env, DATABASE_URL: server.address },
    });
    const database = serverCpu(server.pid()) - before;
    const per = (total: number): number => Math.round(total / jobs);
    return {
      jobs,
      verified: resultBranches(remote).length,
      ...{ alone: per(alone), worker: per(worker), server: per(database) },
      overhead: per(worker + database - alone),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
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

/** CPU of a server and its connections, also of those that have ended, in milliseconds. Linux only. */
function serverCpu(pid: number): number {
  const [, ...own] = timesOf(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter(([parent]) => parent === pid)
    .map(([, user, system]) => user! + system!);
  return [...own, ...children].reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK;
}

/** Parent, then ticks of user and system, own and of ended children. A process that is gone has none. */
function timesOf(pid: number): readonly number[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return [fields[1]!, ...fields.slice(11, 15)];
  } catch {
    return [0, 0, 0, 0, 0];
  }
}
