import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countJobs } from '../../src/fleet/queue/read-jobs.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import type { JobRequest } from '../../src/fleet/queue/job-request.ts';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import type { WireServer } from '../../test/support/wire/index.ts';
import { countPaidReplies, startModel, taskOf, type PaidReplies } from './scripted-model.ts';
import type { BenchServer } from './server.ts';
import { CHEAP, FIX, makeRemote, resultBranches } from './subject.ts';

export interface ChaosOptions {
  readonly jobs: number;
  readonly workers: number;
  readonly repositories: number;
  /** One job in this number has a model; the others have a command. */
  readonly modelEvery: number;
  readonly killEveryMs: number;
  /** Absolute path of `bin/ralph.js`. */
  readonly program: string;
  /** The run is given up after this time. */
  readonly limitMs: number;
}

/** What became of the jobs. */
export interface ChaosFigures {
  readonly jobs: number;
  readonly ended: Readonly<Record<string, number>>;
  /** Jobs that are nowhere. Those that three killed machines had taken are `dead`, which is not lost. */
  readonly lost: number;
  /** Jobs that still waited or ran when the time was up. */
  readonly unfinished: number;
  /** Loops with more than one branch, and branches of no job. */
  readonly delivered_twice: number;
  readonly branches: number;
  /** Why jobs were not verified. */
  readonly reasons: readonly string[];
  readonly kills: number;
  readonly stops: number;
  readonly restarts: number;
  /** Jobs that more than one machine has taken. */
  readonly resumed: number;
  readonly model: PaidReplies;
  readonly seconds: number;
}

const KEY = 'key-of-the-bench-0123456789';
/** Longer than the heartbeat. */
const STOPPED_MS = 15_000;

/**
 * Jobs with a command actor, while a worker is killed (-9) and replaced again and again, the server is restarted twice,
 * and one worker is stopped past its heartbeat and continued.
 */
export async function runChaos(server: BenchServer, options: ChaosOptions): Promise<ChaosFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-chaos-'));
  const remotes = Array.from({ length: options.repositories }, (_, index) =>
    makeRemote(join(folder, `r${index}`)),
  );
  const model = await startModel();
  const workers = new Map<number, ChildProcess>();
  const start = performance.now();
  try {
    const fleet = await server.open();
    const requests = Array.from({ length: options.jobs }, (_, index) => {
      const isModel = index % options.modelEvery === 0;
      return requestFor(remotes[index % remotes.length]!, isModel ? taskOf(index) : undefined);
    });
    await submitJobs(fleet, requests);
    await fleet.close();
    for (let number = 0; number < options.workers; number++)
      workers.set(number, startWorker(server, { folder, number, program: options.program, model }));
    const counts = { kills: 0, stops: 0, restarts: 0 };
    let state = await stateOf(server);
    for (let round = 1; state.open > 0 && performance.now() - start < options.limitMs; round++) {
      await sleep(options.killEveryMs);
      const number = round % options.workers;
      const victim = workers.get(number)!;
      if (round % 7 === 3) {
        counts.stops++;
        victim.kill('SIGSTOP');
        setTimeout(() => victim.kill('SIGCONT'), STOPPED_MS);
      } else {
        counts.kills++;
        victim.kill('SIGKILL');
        workers.set(number, startWorker(server, { folder, number, program: options.program, model }));
      }
      const share = 1 - state.open / options.jobs;
      if (counts.restarts < 2 && share > (counts.restarts + 1) / 3) {
        counts.restarts++;
        await server.restart();
      }
      state = await stateOf(server);
    }
    const branches = remotes.flatMap(resultBranches);
    const { counts: ended, open, loops, resumed } = state;
    const last = await server.open();
    const paid = await countPaidReplies(last, model).finally(() => last.close());
    const known = Object.values(ended).reduce((sum, count) => sum + count, 0);
    return {
      jobs: options.jobs,
      ended,
      lost: options.jobs - known,
      unfinished: open,
      delivered_twice: branches.length - new Set(branches.filter((name) => loops.has(name))).size,
      branches: branches.length,
      reasons: state.reasons,
      ...counts,
      resumed,
      model: paid,
      seconds: Math.round((performance.now() - start) / 1000),
    };
  } finally {
    for (const worker of workers.values()) worker.kill('SIGKILL');
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A job for the model if it has a task, and for a command otherwise. */
function requestFor(remote: string, task: string | undefined): JobRequest {
  const common = {
    ...{ repository: repositoryOf(remote, '/'), ref: 'main', delivery: 'branch' as const },
    ...{ labels: [], priority: 0 },
  };
  if (task === undefined)
    return {
      ...common,
      task: '',
      proof: { hasTask: false, criteria: [] },
      config: { ...CHEAP, actor: 'command', command: FIX },
    };
  return {
    ...common,
    task,
    proof: { hasTask: true, criteria: [] },
    config: {
      ...{ ...CHEAP, actor: 'react', model: 'openai-compatible/wire-model' },
      ...{ acceptanceTests: false, reflector: 'rules' },
    },
  };
}

interface JobEnding {
  readonly loop_id: string;
  readonly fence: number;
  readonly ended: string | null;
  readonly reason: string | null;
}

async function stateOf(server: BenchServer) {
  const fleet = await server.open();
  try {
    const counts = await countJobs(fleet.database);
    const rows = await fleet.database.query<JobEnding>('SELECT loop_id, fence, ended, reason FROM ralph.job');
    return {
      counts,
      open: (counts['queued'] ?? 0) + (counts['waiting'] ?? 0) + (counts['running'] ?? 0),
      loops: new Set(rows.map(({ loop_id: id }) => `ralph/${id}`)),
      resumed: rows.filter(({ fence }) => fence > 1).length,
      reasons: rows.flatMap(({ ended, reason }) => (ended === 'verified' ? [] : (reason ?? []))),
    };
  } finally {
    await fleet.close();
  }
}

function startWorker(
  server: BenchServer,
  {
    folder,
    number,
    program,
    model,
  }: {
    readonly folder: string;
    readonly number: number;
    readonly program: string;
    readonly model: WireServer;
  },
): ChildProcess {
  const args = [program, 'worker', '--name', `w${number}`, '--folder', join(folder, `machine-${number}`)];
  const bounds = ['--heartbeat', '10s', '--sandbox', 'off', '--base-url', model.baseUrl('openai-chat')];
  return spawn(process.execPath, [...args, ...bounds, '--quiet'], {
    env: { ...process.env, DATABASE_URL: server.address, OPENAI_API_KEY: KEY },
    stdio: 'ignore',
  });
}
