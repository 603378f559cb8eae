/**
 * The queue, the search and the safety of a fleet on a PostgreSQL of its own:
 * `node bench/fleet.ts [queue] [search] [cost] [chaos] [live] [--queued 1000,10000,100000] [--plot FILE.svg] [--reflections N] [--jobs N] [--workers N] [--repositories N] [--model-every N] [--kill-every SECONDS] [--minutes N] [--loops N]`.
 * `cost` and `chaos` need `npm run build`, `live` a Chromium. Prints one JSON object for each part. Exits with 1 if a job was lost or delivered
 * twice, or a model reply paid twice.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChaos } from './fleet/chaos.ts';
import { measureCost } from './fleet/cost.ts';
import { measureLive } from './fleet/live.ts';
import { plotQueue } from './fleet/plot.ts';
import { measureQueue } from './fleet/queue.ts';
import { measureSearch } from './fleet/search.ts';
import { startBenchServer } from './fleet/server.ts';

/** `ralph run` alone is measured for so many jobs at most. */
const MOST_COMPARED = 20;
const LIVE_SECONDS = 15;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queued: { type: 'string', default: '1000,10000,100000' },
    reflections: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '200' },
    workers: { type: 'string', default: '4' },
    repositories: { type: 'string', default: '20' },
    'model-every': { type: 'string', default: '10' },
    'kill-every': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '15' },
    loops: { type: 'string', default: '200' },
    plot: { type: 'string' },
  },
});
const wants = (part: string): boolean => positionals.length === 0 || positionals.includes(part);

if (wants('queue') || wants('search')) {
  const server = await startBenchServer();
  const fleet = await server.open();
  try {
    if (wants('queue')) {
      const figures = await measureQueue(server, fleet, values.queued.split(',').map(Number));
      print('queue', figures);
      if (values.plot !== undefined) writeFileSync(values.plot, plotQueue(figures));
    }
    if (wants('search')) print('search', await measureSearch(fleet, Number(values.reflections)));
  } finally {
    await fleet.close();
    await server.remove();
  }
}

const program = join(import.meta.dirname, '..', 'bin', 'ralph.js');

if (wants('cost')) {
  const server = await startBenchServer();
  try {
    print('cost', await measureCost(server, { jobs: Math.min(MOST_COMPARED, Number(values.jobs)), program }));
  } finally {
    await server.remove();
  }
}

if (wants('live')) {
  const server = await startBenchServer();
  try {
    print('live', await measureLive(server, { loops: Number(values.loops), seconds: LIVE_SECONDS }));
  } finally {
    await server.remove();
  }
}

if (wants('chaos')) {
  const server = await startBenchServer();
  try {
    const figures = await runChaos(server, {
      ...{
        jobs: Number(values.jobs),
        workers: Number(values.workers),
        repositories: Number(values.repositories),
      },
      killEveryMs: Number(values['kill-every']) * 1000,
      modelEvery: Number(values['model-every']),
      program,
      limitMs: Number(values.minutes) * 60_000,
    });
    print('chaos', figures);
    if (figures.lost > 0 || figures.delivered_twice > 0 || figures.model.paid_twice > 0) process.exitCode = 1;
  } finally {
    await server.remove();
  }
}

function print(part: string, figures: unknown): void {
  console.log(JSON.stringify({ part, figures }, null, 2));
}
