import { randomUUID } from 'node:crypto';
import type { JobRequest } from '../../src/fleet/queue/job-request.ts';
import type { Fleet } from '../../src/fleet/queue/open-fleet.ts';
import { listJobs } from '../../src/fleet/queue/read-jobs.ts';
import { completeJob } from '../../src/fleet/queue/settle.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import { takeJob } from '../../src/fleet/queue/take.ts';
import type { BenchServer } from './server.ts';
import { serverCpu } from './server-cpu.ts';
import { millisecondsOf, percentile } from './times.ts';

/** Figures of the queue at one length. Times in milliseconds. */
export interface QueueFigures {
  readonly queued: number;
  /** Jobs per second, in batches of 500. */
  readonly submitted_per_second: number;
  readonly take_p50: number;
  readonly take_p99: number;
  /** CPU of this process and of the server for one take and one end. */
  readonly cpu_per_job: number;
  readonly list: number;
}

const REPOSITORIES = 40;
const TAKES = 500;

/** Fills the queue up to each length, and measures takes and the list there. */
export async function measureQueue(
  server: BenchServer,
  fleet: Fleet,
  lengths: readonly number[],
): Promise<QueueFigures[]> {
  const figures: QueueFigures[] = [];
  let queued = 0;
  for (const length of lengths) {
    const added = length - queued;
    const submitMs = await millisecondsOf(() => submitJobs(fleet, requestsOf(queued, added)));
    // As autovacuum does some time after a load of this size.
    await fleet.database.query('ANALYZE');
    const lists: number[] = [];
    for (let round = 0; round < 10; round++)
      lists.push(await millisecondsOf(() => listJobs(fleet.database, { limit: 50 })));
    const takes = await measureTakes(fleet, server.pid());
    queued = length - TAKES;
    figures.push({
      queued: length,
      submitted_per_second: Math.round(added / (submitMs / 1000)),
      ...takes,
      list: percentile(lists, 0.5),
    });
  }
  return figures;
}

async function measureTakes(fleet: Fleet, pid: number) {
  const taker = { id: randomUUID(), name: 'bench', labels: [], repositories: [] };
  const times: number[] = [];
  const serverBefore = serverCpu(pid);
  const before = process.cpuUsage();
  for (let round = 0; round < TAKES; round++) {
    const start = performance.now();
    const job = await takeJob(fleet, taker);
    times.push(performance.now() - start);
    await completeJob(fleet, job!, { ended: 'failed', reason: 'bench' });
  }
  const { user, system } = process.cpuUsage(before);
  return {
    take_p50: percentile(times, 0.5),
    take_p99: percentile(times, 0.99),
    cpu_per_job: ((user + system) / 1000 + serverCpu(pid) - serverBefore) / TAKES,
  };
}

/** Jobs of forty repositories, each of a branch of its own. */
export function requestsOf(from: number, count: number): JobRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `example.com/team/repository-${(from + index) % REPOSITORIES}`;
    return {
      repository: { address: `https://${name}`, name, organisation: 'example.com/team' },
      // A branch of its own, so that no job waits for another one.
      ref: `branch-${from + index}`,
      task: `task ${from + index}`,
      proof: { hasTask: false, criteria: [] },
      config: {},
      delivery: 'branch',
      labels: [],
      priority: 0,
    } as JobRequest;
  });
}
