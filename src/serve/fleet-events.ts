import type { ServerResponse } from 'node:http';
import type { RunEvent } from '../events.ts';
import type { Database } from '../fleet/database/database.ts';
import { QUEUE_CHANNEL } from '../fleet/queue/submit.ts';
import { EVENT_CHANNEL, readEventsOf, type StoredEvent } from '../fleet/store/events.ts';
import { redact } from '../platform/redaction/redact.ts';
import { firstLine } from '../report/page/figures.ts';
import { commonHeaders, send, textAnswer } from './answer.ts';
import { renderEvent } from './live-events.ts';

/**
 * Streams of the loops that run on the machines of a fleet (server-sent events): `state` and `step` of a loop, and `changed`
 * when the queue, the workers or the budgets may have changed.
 */
export interface FleetEvents {
  /** Opens a stream, which begins with the running loops and their latest events. */
  open(response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** A loop that has been shown. */
interface Followed {
  readonly loop: string;
  readonly task: string;
  /** Id of the last event that was sent. */
  after: string;
  attempts: string;
  reward: string;
  status: string;
}

/** Between two looks. The first event after a pause is looked at sooner, with those that come together with it. */
const LOOK_MS = 150;
const SOON_MS = 10;
/** Between two events `changed`. */
const CHANGED_MS = 1000;
const PING_MS = 15_000;
const MOST_STREAMS = 64;
const LATEST_EVENTS = 100;
const MOST_EVENTS = 500;
const MOST_WAITING_BYTES = 1_000_000;

/** Creates the streams of a fleet. The database is listened to only while one is open. */
export function createFleetEvents(
  connect: () => Promise<Database>,
  warn: (text: string) => void,
): FleetEvents {
  const streams = new Set<ServerResponse>();
  const jobs = new Map<string, Followed>();
  const rung = new Set<string>();
  let stopListening: Promise<() => Promise<void>> | undefined;
  let changed: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let lookedAt = -Infinity;
  const write = (text: string): void => {
    for (const response of streams)
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
      else if (!response.writableEnded) response.write(text);
  };

  /** One look after the other, so that the events of a job keep their order. */
  const look = (): Promise<void> => {
    timer = undefined;
    lookedAt = performance.now();
    const names = [...rung];
    rung.clear();
    last = last
      .then(async () => {
        write(await newsOf(await connect(), jobs, names));
      })
      .catch((error: unknown) => warn(`The events of the fleet cannot be read: ${String(error)}`));
    return last;
  };
  const change = (): void => {
    changed ??= setTimeout(() => {
      changed = undefined;
      write(renderEvent('changed', {}));
    }, CHANGED_MS);
  };
  const ring = (job: string): void => {
    change();
    // An empty payload: notifications may have been lost.
    for (const name of job === '' ? jobs.keys() : [job]) rung.add(name);
    timer ??= setTimeout(() => void look(), Math.max(SOON_MS, lookedAt + LOOK_MS - performance.now()));
  };
  const listen = async (database: Database): Promise<() => Promise<void>> => {
    const stops = await Promise.all([
      database.listen(EVENT_CHANNEL, ring),
      database.listen(QUEUE_CHANNEL, change),
    ]);
    return async () => void (await Promise.all(stops.map((end) => end())));
  };
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    clearTimeout(changed);
    timer = undefined;
    changed = undefined;
    const listening = stopListening;
    stopListening = undefined;
    jobs.clear();
    await (await listening?.catch(() => undefined))?.().catch(() => {});
  };

  return {
    async open(response) {
      if (streams.size >= MOST_STREAMS)
        return send(response, textAnswer(503, 'Too many pages are open. Close one of them.\n'));
      const database = await connect();
      stopListening ??= listen(database);
      await stopListening;
      const present = await snapshot(database, jobs);
      response.writeHead(200, { ...commonHeaders(), 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(`retry: 1000\n\n${present}`);
      const ping = setInterval(() => response.write(': still here\n\n'), PING_MS);
      streams.add(response);
      ring('');
      response.on('close', () => {
        clearInterval(ping);
        streams.delete(response);
        if (streams.size === 0) void stop();
      });
    },
    async close() {
      for (const response of streams) response.end();
      streams.clear();
      await stop();
    },
  };
}

const RUNNING = `SELECT j.id AS job, coalesce((SELECT min(id) - 1 FROM (SELECT id FROM ralph.event e WHERE e.job = j.id
    ORDER BY id DESC LIMIT ${LATEST_EVENTS}) newest), 0)::text AS after
  FROM ralph.job j JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id AND b.state = 'active'`;

/** The running loops with their latest events; an event may be sent a second time later, but none is missed. */
async function snapshot(database: Database, jobs: Map<string, Followed>): Promise<string> {
  const rows = await database.query<{ job: string; after: string }>(RUNNING);
  const shown = await describe(
    database,
    rows.map(({ job }) => job),
  );
  for (const { job, after } of rows) {
    const followed = shown.get(job);
    if (followed !== undefined) followed.after = after;
  }
  const text = await eventsOf(database, shown);
  for (const [job, followed] of shown) if (!jobs.has(job)) jobs.set(job, followed);
  return text;
}

async function newsOf(
  database: Database,
  jobs: Map<string, Followed>,
  names: readonly string[],
): Promise<string> {
  const fresh = names.filter((job) => !jobs.has(job));
  for (const [job, followed] of await describe(database, fresh)) jobs.set(job, followed);
  const rung = new Map(
    names.flatMap((job) => {
      const followed = jobs.get(job);
      return followed === undefined ? [] : [[job, followed] as const];
    }),
  );
  const text = await eventsOf(database, rung);
  for (const [job, { status }] of rung) if (status !== 'running') jobs.delete(job);
  return text;
}

async function describe(database: Database, names: readonly string[]): Promise<Map<string, Followed>> {
  if (names.length === 0) return new Map();
  const rows = await database.query<{ job: string; loop: string; task: string }>(
    'SELECT id AS job, loop_id AS loop, left(task, 300) AS task FROM ralph.job WHERE id = ANY($1)',
    [names],
  );
  return new Map(
    rows.map(({ job, loop, task }) => [
      job,
      { loop, task: redact(firstLine(task)), after: '0', attempts: '', reward: '', status: 'running' },
    ]),
  );
}

/** All loops are read in one statement: two hundred of them have news at the same time. */
async function eventsOf(database: Database, jobs: ReadonlyMap<string, Followed>): Promise<string> {
  if (jobs.size === 0) return '';
  const places = [...jobs].map(([job, { after }]) => ({ job, after }));
  const stored = Map.groupBy(await readEventsOf(database, places, MOST_EVENTS), ({ job }) => job);
  const texts = [...jobs].map(([job, followed]) => {
    const events = stored.get(job) ?? [];
    const steps = events.flatMap((one) => stepOf(followed, one));
    followed.after = events.at(-1)?.id ?? followed.after;
    const { loop, task, status, attempts, reward } = followed;
    return renderEvent('state', { loop, task, status, attempts, reward }) + steps.join('');
  });
  return texts.join('');
}

/** Events that are a step of the loop; nothing of their data but figures is told. */
function stepOf(followed: Followed, { id, at, event }: StoredEvent): string[] {
  const text = textOf(followed, event);
  return text === undefined ? [] : [renderEvent('step', { loop: followed.loop, seq: Number(id), at, text })];
}

function textOf(followed: Followed, event: RunEvent): string | undefined {
  switch (event.type) {
    case 'loop_started':
      followed.attempts = `0 of ${event.maxIterations}`;
      return event.resumed ? 'resumed' : 'started';
    case 'baseline_evaluated':
      followed.reward = event.evaluation.reward.toFixed(3);
      return `baseline: reward ${followed.reward}`;
    case 'attempt_started':
      followed.attempts = followed.attempts.replace(/^\d+/, String(event.iteration));
      return `attempt ${event.iteration}: act`;
    case 'evaluation_started':
      return `attempt ${event.iteration}: evaluate`;
    case 'attempt_evaluated':
      if (event.best) followed.reward = event.evaluation.reward.toFixed(3);
      return `attempt ${event.iteration}: reward ${event.evaluation.reward.toFixed(3)}`;
    case 'reflection_written':
      return `attempt ${event.iteration}: reflection`;
    case 'loop_finished':
      followed.status = event.verdict.status.replaceAll('_', ' ');
      return `ended: ${followed.status}`;
    case 'loop_failed':
      followed.status = 'failed';
      return 'ended: failed';
    default:
      return undefined;
  }
}
