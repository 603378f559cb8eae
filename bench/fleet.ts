/**
 * The queue, the search and the safety of a fleet on a PostgreSQL of its own:
 * `node bench/fleet.ts [queue] [search] [chaos] [--queued 1000,10000,100000] [--reflections N] [--jobs N] [--workers N] [--repositories N] [--kill-every SECONDS] [--minutes N]`.
 * Needs `npm run build` for `chaos`. Prints one JSON object. Exits with 1 if a job was lost or delivered twice.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChaos } from './fleet/chaos.ts';
import { measureQueue } from './fleet/queue.ts';
import { measureSearch } from './fleet/search.ts';
import { startBenchServer } from './fleet/server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queued: { type: 'string', default: '1000,10000,100000' },
    reflections: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '200' },
    workers: { type: 'string', default: '4' },
    repositories: { type: 'string', default: '20' },
    'kill-every': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '15' },
  },
});
const wants = (part: string): boolean => positionals.length === 0 || positionals.includes(part);

if (wants('queue') || wants('search')) {
  const server = await startBenchServer();
  const fleet = await server.open();
  try {
    if (wants('queue')) print('queue', await measureQueue(fleet, values.queued.split(',').map(Number)));
    if (wants('search')) print('search', await measureSearch(fleet, Number(values.reflections)));
  } finally {
    await fleet.close();
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
      program: join(import.meta.dirname, '..', 'bin', 'ralph.js'),
      limitMs: Number(values.minutes) * 60_000,
    });
    print('chaos', figures);
    if (figures.lost > 0 || figures.delivered_twice > 0) process.exitCode = 1;
  } finally {
    await server.remove();
  }
}

function print(part: string, figures: unknown): void {
  console.log(JSON.stringify({ part, figures }, null, 2));
}
