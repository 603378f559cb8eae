import type { Queryable } from '../database/database.ts';
import { FIRST, LOOPS, statementsOf } from './boss.ts';
import type { Fleet } from './open-fleet.ts';

/** What pg-boss notes about a job whose heartbeat is over. */
export const HEARTBEAT_OVER = 'job heartbeat timeout';
/** After a start of the server, living workers have so long to be heard of again. */
const SETTLED_SECONDS = 10;

/** A job that a worker has begun, which has been silent for longer than the heartbeat. */
export interface SilentJob {
  readonly id: string;
  readonly retryCount: number;
  /** Id of the worker. */
  readonly worker: string | null;
}

/** Silent jobs that pg-boss's supervision, which looks every few seconds, has not found yet. The index `job_open` finds them. */
export const SILENT = `SELECT j.id, b.retry_count AS "retryCount", j.worker
  FROM ralph.job j JOIN pgboss.job b ON b.name = '${LOOPS}' AND b.id = j.id
  WHERE j.fence > 0 AND j.ended IS NULL AND b.state = 'active'
    AND b.heartbeat_on + b.heartbeat_seconds * interval '1 second' < now()
    AND pg_postmaster_start_time() < now() - interval '${SETTLED_SECONDS} seconds'`;

/** Begun jobs that wait for another machine and do not come first yet. */
export const LOST = `SELECT j.id, coalesce(b.output->>'message', b.output->'value'->>'message') = '${HEARTBEAT_OVER}' AS "isSilent"
  FROM ralph.job j JOIN pgboss.job b ON b.name = '${LOOPS}' AND b.id = j.id
  WHERE j.fence > 0 AND j.ended IS NULL AND b.state = 'retry' AND b.priority < ${FIRST}`;

export interface LostJob {
  readonly id: string;
  /** Its worker was not heard of; else its machine could not run it. */
  readonly isSilent: boolean | null;
}

/** Takes jobs away from their silent workers, so that the take that comes next can have one of them. */
export async function endSilence({ boss }: Fleet, tx: Queryable, jobs: readonly SilentJob[]): Promise<void> {
  const db = statementsOf(tx);
  for (const { id, retryCount } of jobs)
    await boss.fail(LOOPS, { id, retryCount }, { message: HEARTBEAT_OVER }, { db });
}

/**
 * Puts begun jobs before all others: pg-boss puts a job that its machine lost behind those of the same batch. What a machine
 * could not run keeps its pause, so that another one may have it.
 */
export async function putFirst({ boss }: Fleet, tx: Queryable, jobs: readonly LostJob[]): Promise<void> {
  const db = statementsOf(tx);
  for (const { id, isSilent } of jobs)
    await boss.update({
      name: LOOPS,
      options: { id, priority: FIRST, db, ...(isSilent === true ? { startAfter: 0 } : {}) },
    });
}
