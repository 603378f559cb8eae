import type { ServerResponse } from 'node:http';
import type { RunEvent } from '../events.ts';
import type { Database } from '../fleet/database/database.ts';
import { EVENT_CHANNEL, readEvents, type StoredEvent } from '../fleet/store/events.ts';
import { redact } from '../platform/redaction/redact.ts';
import { firstLine } from '../report/page/figures.ts';
import { commonHeaders, send, textAnswer } from './answer.ts';
import { renderEvent } from './live-events.ts';

/** Streams of the loops that run on the machines of a fleet (server-sent events). */
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

const LOOK_MS = 150;
const PING_MS = 15_000;
const MOST_STREAMS = 64;
const LATEST_EVENTS = 100;
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
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = (text: string): void => {
    for (const response of streams)
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
      else if (!response.writableEnded) response.write(text);
  };

  /** One look after the other, so that the events of a job keep their order. */
  const look = (): Promise<void> => {
    timer = undefined;
    const names = [...rung];
    rung.clear();
    last = last
      .then(async () => {
        const database = await connect();
        for (const job of names) write(await newsOf(database, jobs, job));
      })
      .catch((error: unknown) => warn(`The events of the fleet cannot be read: ${String(error)}`));
    return last;
  };
  const ring = (job: string): void => {
    // An empty payload: notifications may have been lost.
    for (const name of job === '' ? jobs.keys() : [job]) rung.add(name);
    timer ??= setTimeout(() => void look(), LOOK_MS);
  };
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
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
      stopListening ??= database.listen(EVENT_CHANNEL, ring);
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

/** The running loops with their latest events; an event may be sent a second time later, but none is missed. */
async function snapshot(database: Database, jobs: Map<string, Followed>): Promise<string> {
  const rows = await database.query<{ job: string; after: string }>(
    `SELECT j.id AS job, coalesce((SELECT min(id) - 1 FROM (SELECT id FROM ralph.event e WHERE e.job = j.id
       ORDER BY id DESC LIMIT ${LATEST_EVENTS}) newest), 0)::text AS after
     FROM ralph.job j JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id AND b.state = 'active'`,
  );
  const texts: string[] = [];
  for (const { job, after } of rows) {
    const known = jobs.get(job);
    const followed = await describe(database, job);
    if (followed === undefined) continue;
    const seen = { ...followed, after };
    texts.push(await eventsOf(database, job, seen));
    jobs.set(job, known ?? seen);
  }
  return texts.join('');
}

async function newsOf(database: Database, jobs: Map<string, Followed>, job: string): Promise<string> {
  const followed = jobs.get(job) ?? (await describe(database, job));
  if (followed === undefined) return '';
  jobs.set(job, followed);
  const text = await eventsOf(database, job, followed);
  if (followed.status !== 'running') jobs.delete(job);
  return text;
}

async function describe(database: Database, job: string): Promise<Followed | undefined> {
  const [row] = await database.query<{ loop: string; task: string }>(
    'SELECT loop_id AS loop, left(task, 300) AS task FROM ralph.job WHERE id = $1',
    [job],
  );
  if (row === undefined) return undefined;
  const task = redact(firstLine(row.task));
  return { loop: row.loop, task, after: '0', attempts: '', reward: '', status: 'running' };
}

async function eventsOf(database: Database, job: string, followed: Followed): Promise<string> {
  const stored = await readEvents(database, { job, after: followed.after, limit: 500 });
  const steps = stored.flatMap((one) => stepOf(followed, one));
  followed.after = stored.at(-1)?.id ?? followed.after;
  const { loop, task, status, attempts, reward } = followed;
  return renderEvent('state', { loop, task, status, attempts, reward }) + steps.join('');
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
