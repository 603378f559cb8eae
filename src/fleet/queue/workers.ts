import { hostname } from 'node:os';
import { renderDuration } from '../../platform/text/duration.ts';
import { version } from '../../platform/version.ts';
import { WITHOUT_WAITING, type Database, type Queryable } from '../database/database.ts';

/** A worker that is running, or was heard of a short time ago. */
export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly labels: readonly string[];
  readonly concurrency: number;
  /** `running`, `draining` or `lost`. */
  readonly state: string;
  /** Loops that it runs now. */
  readonly running: number;
  /** `2s ago`, by the server's clock. */
  readonly seen: string;
}

/** After this time without a sign a worker is shown as lost, and after the second one not at all. */
const LOST_SECONDS = 60;
const FORGOTTEN_SECONDS = 3600;

/** The workers, by name. */
export async function listWorkers(db: Queryable): Promise<WorkerRow[]> {
  const rows = await db.query<Omit<WorkerRow, 'seen'> & { readonly age: number }>(
    `SELECT w.id, w.name, w.host, w.pid, w.version, w.labels, w.concurrency, w.state,
       extract(epoch FROM now() - w.seen_at)::float8 AS age,
       (SELECT count(*)::int FROM pgboss.job b JOIN ralph.job j USING (id)
        WHERE b.name = 'loops' AND b.state = 'active' AND j.worker = w.id) AS running
     FROM ralph.worker w WHERE w.seen_at > now() - interval '${FORGOTTEN_SECONDS} seconds' AND w.state <> 'ended'
     ORDER BY w.name, w.started_at`,
  );
  return rows.map(({ age, state, ...row }) => ({
    ...row,
    state: age > LOST_SECONDS ? 'lost' : state,
    seen: `${renderDuration(Math.max(0, age) * 1000)} ago`,
  }));
}

export interface WorkerEntry {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly concurrency: number;
}

/** Registers a worker. Returns the hosts of other live workers with the same name. */
export async function registerWorker(db: Database, worker: WorkerEntry): Promise<readonly string[]> {
  const { id, name, labels, concurrency } = worker;
  const others = await db.query<{ host: string; pid: number }>(
    `SELECT host, pid FROM ralph.worker
     WHERE name = $1 AND state <> 'ended' AND seen_at > now() - interval '${LOST_SECONDS} seconds'`,
    [name],
  );
  await db.query(
    `INSERT INTO ralph.worker (id, name, host, pid, version, labels, concurrency, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'running')`,
    [id, name, hostname(), process.pid, version(), labels, concurrency],
  );
  return others.map(({ host, pid }) => `${host} (process ${pid})`);
}

/** Notes that the worker is alive, and its state. */
export async function noteWorker(
  db: Queryable,
  id: string,
  state: 'running' | 'draining' | 'ended',
): Promise<void> {
  await db.query(
    `UPDATE ralph.worker SET seen_at = now(), state = $2 WHERE id = $1 RETURNING ${WITHOUT_WAITING}`,
    [id, state],
  );
}
