import type { Usage, Verdict } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';
import { FIRST, LOOPS, statementsOf } from './boss.ts';
import { chargeAbandoned, NOTHING_ASKED, settleBudget } from './charge.ts';
import type { Fleet } from './open-fleet.ts';
import { QUEUE_CHANNEL } from './submit.ts';
import type { TakenJob } from './take.ts';

/** Where a result was delivered. */
export interface Delivered {
  readonly how: 'branch' | 'pull-request' | 'bundle';
  readonly branch: string;
  readonly commit: string;
  /** A sentence. */
  readonly message: string;
}

/** The end of a job. */
export interface JobEnd {
  readonly ended: 'verified' | 'unverified' | 'unproven' | 'failed';
  /** A sentence. */
  readonly reason: string;
  readonly verdict?: Verdict;
  readonly delivered?: Delivered;
  /** A git bundle with the result's branch. */
  readonly bundle?: Buffer;
  readonly usage?: Usage;
}

/** Thrown by a write of a worker that does not hold the job any more: another machine has it, or it was cancelled. */
export class HoldLost extends Error {
  constructor(id: string) {
    super(`Job ${id} is not this worker's any more.`);
    this.name = 'HoldLost';
  }
}

const IS_ACTIVE = `EXISTS (
    SELECT 1 FROM pgboss.job b WHERE b.name = 'loops' AND b.id = $1 AND b.state = 'active' AND b.retry_count = $3)`;
const ofHolder = (condition: string): string =>
  `SELECT 1 FROM ralph.job j WHERE j.id = $1 AND j.fence = $2 AND j.worker = $4 AND (${condition}) FOR SHARE OF j`;

/** The row of a job that is still held, by the values of `heldBy`; it stays so until the end of the transaction. */
export const HELD = ofHolder(IS_ACTIVE);
/** The same, and the row of a job that was cancelled: its last worker says how the loop ended. */
export const HELD_OR_CANCELLED = ofHolder(`j.ended = 'cancelled' OR ${IS_ACTIVE}`);

/** The first four values of a statement with `HELD`. */
export function heldBy({ id, fence, worker, attempt }: TakenJob): readonly unknown[] {
  return [id, fence, attempt.retryCount, worker];
}

/** Throws HoldLost unless the job is still held; else keeps it held until the end of the transaction. */
export async function requireHold(tx: Queryable, job: TakenJob): Promise<void> {
  const [row] = await tx.query(HELD, heldBy(job));
  if (row === undefined) throw new HoldLost(job.id);
}

/** Ends a job with a result, in one transaction. Rejects with HoldLost if another machine has it. */
export async function completeJob({ database, boss }: Fleet, job: TakenJob, end: JobEnd): Promise<void> {
  await database.transaction(async (tx) => {
    await requireHold(tx, job);
    const { ended, reason, verdict, delivered, bundle } = end;
    await tx.query(
      `UPDATE ralph.job SET ended = $2, reason = $3, verdict = $4, delivered = $5, bundle = $6, ended_at = now(),
         ${NOTHING_ASKED} WHERE id = $1`,
      [job.id, ended, reason, json(verdict), json(delivered), bundle ?? null],
    );
    await settleBudget(tx, job.id, end.usage ?? verdict?.usage);
    const settled = await boss.complete(LOOPS, job.attempt, null, { db: statementsOf(tx) });
    // pg-boss's types leave the count out.
    if ((settled as { readonly affected: number }).affected !== 1) throw new HoldLost(job.id);
    await tx.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
  });
}

/** Gives a job that this machine could not run to another one, or to the dead letters after the third. */
export async function failJob({ database, boss }: Fleet, job: TakenJob, reason: string): Promise<void> {
  await database.transaction(async (tx) => {
    await requireHold(tx, job);
    await tx.query(`UPDATE ralph.job SET reason = $2, ${NOTHING_ASKED} WHERE id = $1`, [job.id, reason]);
    await boss.fail(LOOPS, job.attempt, { message: reason }, { db: statementsOf(tx) });
    await tx.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
  });
}

/** Why a job that is put back waits, and for how long. */
export interface Delay {
  readonly seconds: number;
  /** A sentence. */
  readonly reason: string;
}

/**
 * Puts a job back into the queue, without counting the machine: the worker ends, or what the job needs is away. `abandons`: model
 * calls of it may run, whose replies nobody waits for.
 */
export async function releaseJob(
  { database, boss }: Fleet,
  job: TakenJob,
  { delay, abandons = false }: { readonly delay?: Delay; readonly abandons?: boolean } = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    await requireHold(tx, job);
    const db = statementsOf(tx);
    if (abandons) await chargeAbandoned(tx, job.id);
    await boss.cancel(LOOPS, job.attempt, { db });
    await boss.resume(LOOPS, job.id, { db });
    await boss.update({
      name: LOOPS,
      options: {
        ...{ id: job.id, priority: FIRST, retryLimit: job.retryLimit + 1, db },
        ...(delay === undefined ? {} : { startAfter: delay.seconds }),
      },
    });
    await tx.query(
      `UPDATE ralph.job SET worker = NULL, ${NOTHING_ASKED}, reason = coalesce($2, reason) WHERE id = $1`,
      [job.id, delay?.reason ?? null],
    );
    await tx.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
  });
}

/** Keeps holds alive. Returns the ids of the jobs that this worker still holds. */
export async function touchJobs(fleet: Fleet, jobs: readonly TakenJob[]): Promise<ReadonlySet<string>> {
  if (jobs.length === 0) return new Set();
  await fleet.boss.touch(
    LOOPS,
    jobs.map(({ attempt }) => attempt),
  );
  const rows = await fleet.database.query<{ id: string; retry: number }>(
    `SELECT id, retry_count AS retry FROM pgboss.job WHERE name = 'loops' AND id = ANY($1) AND state = 'active'`,
    [jobs.map(({ id }) => id)],
  );
  const active = new Map(rows.map(({ id, retry }) => [id, retry]));
  return new Set(jobs.filter(({ id, attempt }) => active.get(id) === attempt.retryCount).map(({ id }) => id));
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
