import { usageError } from '../../errors.ts';
import type { Verdict } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';
import type { StoredRequest } from './job-request.ts';
import type { Delivered } from './settle.ts';
import { HEARTBEAT_OVER } from './silent-jobs.ts';
import { whyWaiting } from './why-waiting.ts';

/** `queued`, `waiting` for another machine or for a host that is away, `running`, how it ended, or `dead` after three tries. */
export const JOB_STATES = [
  ...([
    'queued',
    'waiting',
    'running',
    'verified',
    'unverified',
    'unproven',
    'failed',
    'cancelled',
    'dead',
  ] as const),
];
export type JobState = (typeof JOB_STATES)[number];

/** A job in a list. */
export interface JobRow {
  readonly id: string;
  readonly key: string | null;
  readonly state: JobState;
  readonly repository: string;
  readonly ref: string;
  readonly model: string;
  /** At most 200 characters. */
  readonly task: string;
  readonly priority: number;
  readonly loop_id: string;
  /** Names of the workers that have taken it, the last one last. */
  readonly machines: readonly string[];
  readonly submitted_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly reason: string | null;
  readonly reward: number | null;
  readonly cost_usd: number | null;
  /** Seconds since the worker of a running job was heard of; null for other jobs. */
  readonly silent_seconds: number | null;
}

/** Everything about a job but its files. */
export interface JobDetails extends JobRow {
  readonly request: StoredRequest;
  readonly address: string;
  /** Labels that a worker must have. */
  readonly labels: readonly string[];
  /** Why no worker takes it now, as a sentence; null if none is known, and for jobs that do not wait. */
  readonly waits_for: string | null;
  readonly base: string | null;
  readonly verdict: Verdict | null;
  readonly delivered: Delivered | null;
  readonly bundle_bytes: number | null;
}

/** pg-boss says what waits and runs; a job that is not in its table any more and has no end was given up. */
const STATE = `coalesce(j.ended, CASE b.state WHEN 'created' THEN CASE WHEN j.reason IS NULL THEN 'queued' ELSE 'waiting' END WHEN 'retry' THEN 'waiting'
  WHEN 'active' THEN 'running' WHEN 'cancelled' THEN 'cancelled' ELSE 'dead' END)`;
const COLUMNS = `j.id, j.key, ${STATE} AS state, l.repository, j.ref, l.model, left(j.task, 200) AS task, j.priority, j.loop_id,
  j.machines, j.submitted_at, j.started_at, j.ended_at, coalesce(j.reason, b.output->>'message', b.output->'value'->>'message') AS reason,
  (j.verdict->>'reward')::float8 AS reward, j.cost_usd,
  CASE WHEN b.state = 'active' AND j.ended IS NULL THEN extract(epoch FROM now() - b.heartbeat_on)::float8 END AS silent_seconds`;
const FROM = `FROM ralph.job j JOIN ralph.lane l ON l.id = j.lane
  LEFT JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id`;

export interface JobFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly repository?: string | undefined;
  readonly limit: number;
}

/** Jobs, the newest first. */
export async function listJobs(db: Queryable, { states, repository, limit }: JobFilter): Promise<JobRow[]> {
  const rows = await db.query<JobRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE ($1::text[] IS NULL OR ${STATE} = ANY($1)) AND ($2::text IS NULL OR l.repository = $2)
     ORDER BY j.submitted_at DESC, j.id LIMIT $3`,
    [states ?? null, repository ?? null, limit],
  );
  return rows.map(withTexts);
}

/** Number of jobs by state. */
export async function countJobs(db: Queryable): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ state: string; count: number }>(
    `SELECT ${STATE} AS state, count(*)::int AS count FROM ralph.job j
     LEFT JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Finds the job of an id, the start of one, a key or a loop's id. Throws a usage error. */
export async function findJob(db: Queryable, given: string): Promise<JobDetails> {
  const rows = await db.query<JobDetails>(
    `SELECT ${COLUMNS}, j.task, j.request, l.labels, j.address, j.base, j.verdict, j.delivered, length(j.bundle) AS bundle_bytes ${FROM}
     WHERE j.key = $1 OR j.loop_id = $1 OR j.id::text LIKE $2 ORDER BY j.submitted_at DESC LIMIT 2`,
    [given, /^[0-9a-f-]{4,36}$/.test(given) ? `${given}%` : ''],
  );
  const [row, other] = rows;
  if (row === undefined)
    throw usageError(
      `There is no job ${JSON.stringify(given.slice(0, 200))}.`,
      /^[0-9a-f]{1,3}$/.test(given)
        ? 'Give at least the first 4 characters of the id: ralph queue list'
        : 'List them: ralph queue list',
    );
  if (other !== undefined && row.id !== given && row.key !== given)
    throw usageError(`Several jobs begin with ${given}.`, 'Give more of the id.');
  const isWaiting = row.state === 'queued' || row.state === 'waiting';
  return { ...withTexts(row), waits_for: (isWaiting ? await whyWaiting(db, row) : undefined) ?? null };
}

/** What pg-boss notes about a job that it takes away from a worker. */
const TAKEN_AWAY: Readonly<Record<string, string>> = {
  [HEARTBEAT_OVER]: 'was not heard of for longer than its heartbeat, and lost the job',
  'job timed out': 'had the job for longer than 23 hours, and lost it',
};

function reasonOf({ reason, machines }: JobRow): string | null {
  const what = reason === null ? undefined : TAKEN_AWAY[reason];
  return what === undefined ? reason : `The worker ${machines.at(-1) ?? ''} ${what}.`;
}

/** Dates as ISO 8601. */
function withTexts<T extends JobRow>(row: T): T {
  const text = (value: unknown): string | null =>
    value instanceof Date ? value.toISOString() : (value as null);
  return {
    ...row,
    reason: reasonOf(row),
    submitted_at: text(row.submitted_at),
    started_at: text(row.started_at),
    ended_at: text(row.ended_at),
  };
}
