import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countJobs } from '../../src/fleet/queue/read-jobs.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import type { BenchServer } from './server.ts';

export interface ChaosOptions {
  readonly jobs: number;
  readonly workers: number;
  readonly repositories: number;
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
  readonly kills: number;
  readonly stops: number;
  readonly restarts: number;
  /** Jobs that more than one machine has taken. */
  readonly resumed: number;
  readonly seconds: number;
}

const FIX = "sed -i 's/a - b/a + b/' src/add.js";
const FILES = {
  'package.json':
    '{ "name": "adder", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'test/add.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
};

/**
 * Jobs with a command actor, while a worker is killed (-9) and replaced again and again, the server is restarted twice,
 * and one worker is stopped past its heartbeat and continued.
 */
export async function runChaos(server: BenchServer, options: ChaosOptions): Promise<ChaosFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-chaos-'));
  const remotes = Array.from({ length: options.repositories }, (_, index) =>
    remoteIn(join(folder, `r${index}`)),
  );
  const workers = new Map<number, ChildProcess>();
  const start = performance.now();
  try {
    const fleet = await server.open();
    await submitJobs(
      fleet,
      Array.from({ length: options.jobs }, (_, index) => ({
        ...{
          repository: repositoryOf(remotes[index % remotes.length]!, folder),
          ref: 'main',
          task: '',
          proof: { hasTask: false, criteria: [] },
        },
        config: { actor: 'command' as const, command: FIX, sandbox: 'off' as const },
        ...{ delivery: 'branch' as const, labels: [], priority: 0 },
      })),
    );
    await fleet.close();
    for (let number = 0; number < options.workers; number++)
      workers.set(number, startWorker(server, { folder, number, program: options.program }));
    const counts = { kills: 0, stops: 0, restarts: 0 };
    let state = await stateOf(server);
    for (let round = 1; state.open > 0 && performance.now() - start < options.limitMs; round++) {
      await sleep(options.killEveryMs);
      const number = round % options.workers;
      const victim = workers.get(number)!;
      if (round % 7 === 3) {
        counts.stops++;
        victim.kill('SIGSTOP');
        setTimeout(() => victim.kill('SIGCONT'), 15_000);
      } else {
        counts.kills++;
        victim.kill('SIGKILL');
        workers.set(number, startWorker(server, { folder, number, program: options.program }));
      }
      const share = 1 - state.open / options.jobs;
      if (counts.restarts < 2 && share > (counts.restarts + 1) / 3) {
        counts.restarts++;
        await server.restart();
      }
      state = await stateOf(server);
    }
    const branches = remotes.flatMap(branchesOf);
    const { counts: ended, open, loops, resumed } = state;
    const known = Object.values(ended).reduce((sum, count) => sum + count, 0);
    return {
      jobs: options.jobs,
      ended,
      lost: options.jobs - known,
      unfinished: open,
      delivered_twice: branches.length - new Set(branches.filter((name) => loops.has(name))).size,
      branches: branches.length,
      ...counts,
      resumed,
      seconds: Math.round((performance.now() - start) / 1000),
    };
  } finally {
    for (const worker of workers.values()) worker.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function stateOf(server: BenchServer) {
  const fleet = await server.open();
  try {
    const counts = await countJobs(fleet.database);
    const rows = await fleet.database.query<{ loop_id: string; fence: number }>(
      'SELECT loop_id, fence FROM ralph.job',
    );
    return {
      counts,
      open: (counts['queued'] ?? 0) + (counts['waiting'] ?? 0) + (counts['running'] ?? 0),
      loops: new Set(rows.map(({ loop_id: id }) => `ralph/${id}`)),
      resumed: rows.filter(({ fence }) => fence > 1).length,
    };
  } finally {
    await fleet.close();
  }
}

function startWorker(
  server: BenchServer,
  { folder, number, program }: { readonly folder: string; readonly number: number; readonly program: string },
): ChildProcess {
  const args = [program, 'worker', '--name', `w${number}`, '--folder', join(folder, `machine-${number}`)];
  return spawn(process.execPath, [...args, '--heartbeat', '10s', '--sandbox', 'off', '--quiet'], {
    env: { ...process.env, DATABASE_URL: server.address },
    stdio: 'ignore',
  });
}

function remoteIn(folder: string): string {
  const source = join(folder, 'source');
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: source,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  const remote = join(folder, 'remote.git');
  git('clone', '--quiet', '--bare', source, remote);
  return remote;
}

function branchesOf(remote: string): string[] {
  const out = execFileSync('git', ['for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph'], {
    cwd: remote,
  });
  return out
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');
}
