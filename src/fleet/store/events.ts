import type { RunEvent } from '../../events.ts';
import { redactedEvents } from '../../report/redacted-events.ts';
import { WITHOUT_WAITING, type Database, type Queryable } from '../database/database.ts';
import { heldBy, HELD_OR_CANCELLED } from '../queue/settle.ts';
import type { TakenJob } from '../queue/take.ts';

/** Listeners of a page or a log are woken on this channel; the payload is the job's id. */
export const EVENT_CHANNEL = 'ralph_event';

/** Between two writes of a job's events. The first event after a pause is stored sooner, with those that come together with it. */
const FLUSH_MS = 100;
const SOON_MS = 5;
/** A larger event is stored by its type alone. */
const MAX_BYTES = 256 * 1024;
const MAX_WAITING = 2000;

/** Stores the events of a loop as they happen. */
export interface EventLog {
  /** Never throws. */
  readonly emit: (event: RunEvent) => void;
  /** Stores what is left. Never rejects. */
  close(): Promise<void>;
}

/** A stored event. */
export interface StoredEvent {
  readonly id: string;
  readonly job: string;
  /** ISO 8601, by the server's clock. */
  readonly at: string;
  readonly event: RunEvent;
}

/**
 * Opens the event log of a job. Events are lost, and the loop goes on, while the server is away for long. Nothing is stored
 * once another machine has the job, or it has ended.
 */
export function openEventLog(database: Database, job: TakenJob): EventLog {
  let waiting: { type: string; event: unknown }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushedAt = -Infinity;
  let last: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    flushedAt = performance.now();
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return last;
    last = last
      .then(() => storeEvents(database, job, batch))
      .catch(() => {
        waiting = [...batch, ...waiting].slice(-MAX_WAITING);
      });
    return last;
  };
  const emit = redactedEvents((event) => {
    // The pieces of a model's answer are for a terminal; the answer itself is in the trajectory.
    if (event.type === 'model_text') return;
    waiting.push({ type: event.type, event: bounded(event) });
    timer ??= setTimeout(() => void flush(), Math.max(SOON_MS, flushedAt + FLUSH_MS - performance.now()));
  });
  return {
    emit,
    async close() {
      await flush();
      await flush();
    },
  };
}

/** Events of a job after the one with the id `after`, oldest first. */
export function readEvents(
  db: Queryable,
  {
    job,
    after = '0',
    limit = 1000,
  }: { readonly job: string; readonly after?: string; readonly limit?: number },
): Promise<StoredEvent[]> {
  return readEventsOf(db, [{ job, after }], limit);
}

/** Events of several jobs, each after the one with the id `after`, oldest first within a job; at most `limit` of each. */
export async function readEventsOf(
  db: Queryable,
  places: readonly { readonly job: string; readonly after: string }[],
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await db.query<{ id: string; job: string; at: Date; event: RunEvent }>(
    `SELECT e.id::text AS id, p.job, e.at, e.event FROM unnest($1::uuid[], $2::bigint[]) AS p (job, after),
       LATERAL (SELECT * FROM ralph.event e WHERE e.job = p.job AND e.id > p.after ORDER BY e.id LIMIT $3) e ORDER BY e.id`,
    [places.map(({ job }) => job), places.map(({ after }) => after), limit],
  );
  return rows.map(({ id, job, at, event }) => ({ id, job, at: at.toISOString(), event }));
}

async function storeEvents(
  database: Database,
  job: TakenJob,
  batch: readonly { readonly type: string; readonly event: unknown }[],
): Promise<void> {
  await database.query(
    `WITH held AS (${HELD_OR_CANCELLED}), added AS (
       INSERT INTO ralph.event (job, type, event)
       SELECT $1, e->>'type', e->'event' FROM jsonb_array_elements($5::jsonb) WITH ORDINALITY AS t (e, n)
       WHERE EXISTS (SELECT 1 FROM held) ORDER BY n
       RETURNING 1)
     SELECT pg_notify('${EVENT_CHANNEL}', $6), ${WITHOUT_WAITING} FROM (SELECT count(*) FROM added) c`,
    [...heldBy(job), JSON.stringify(batch), job.id],
  );
}

/** PostgreSQL's JSON has no NUL character. */
function bounded(event: RunEvent): unknown {
  const text = JSON.stringify(event).replaceAll('\\u0000', '\\ufffd');
  return text.length > MAX_BYTES ? { type: event.type, omitted_bytes: text.length } : JSON.parse(text);
}
