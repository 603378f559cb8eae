import { newLoopId } from '../../platform/loop-id.ts';
import type { Queryable } from '../database/database.ts';
import { DEAD, LOOPS, statementsOf } from './boss.ts';
import type { Fleet } from './open-fleet.ts';
import { QUEUE_CHANNEL } from './submit.ts';

interface EndedJob {
  readonly lane: string;
  readonly key: string;
  readonly priority: number;
  readonly task: string;
  readonly ended: string | null;
}

/** Ends after which the loop has nothing to continue. */
const HAS_RESULT: ReadonlySet<string | null> = new Set(['unverified', 'unproven', 'failed']);

/**
 * Queues a job that has ended, but not verified, as a new one of pg-boss with the same id. A dead or cancelled job continues
 * its loop; another one begins a new loop at the present commit of its branch. False if the job is queued, running or verified.
 */
export async function retryJob({ database, boss }: Fleet, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const db = statementsOf(tx);
    const [job] = await tx.query<EndedJob>(
      `SELECT j.lane::text, l.repository || '#' || j.ref AS key, j.priority, j.task, j.ended
       FROM ralph.job j JOIN ralph.lane l ON l.id = j.lane LEFT JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id
       WHERE j.id = $1 AND (b.id IS NULL OR b.state IN ('failed', 'cancelled', 'completed'))
         AND coalesce(j.ended, '') NOT IN ('verified') FOR UPDATE OF j`,
      [id],
    );
    if (job === undefined) return false;
    await boss.deleteJob(LOOPS, id, { db });
    const letters = await tx.query<{ id: string }>(
      `SELECT id FROM pgboss.job WHERE name = '${DEAD}' AND source_id = $1`,
      [id],
    );
    for (const letter of letters) await boss.deleteJob(DEAD, letter.id, { db });
    await tx.query(
      `UPDATE ralph.job SET ended = NULL, ended_at = NULL, reason = NULL, verdict = NULL, machines = '{}',
         reserved_usd = 0, reserved_tokens = 0 WHERE id = $1`,
      [id],
    );
    if (HAS_RESULT.has(job.ended)) await forgetLoop(tx, id, job.task);
    const again = { id, data: {}, priority: job.priority, singletonKey: job.key, group: { id: job.lane } };
    await boss.insert(LOOPS, [again], { db });
    await tx.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
    return true;
  });
}

async function forgetLoop(tx: Queryable, id: string, task: string): Promise<void> {
  for (const table of ['loop_file', 'loop_pack', 'event'])
    await tx.query(`DELETE FROM ralph.${table} WHERE job = $1`, [id]);
  await tx.query(
    // What the old loop has cost is charged; the new one begins at zero.
    `UPDATE ralph.job SET loop_id = $2, base = NULL, started_at = NULL, delivered = NULL, bundle = NULL, cost_usd = NULL, tokens = NULL,
       lost_usd = 0, lost_tokens = 0
     WHERE id = $1`,
    [id, newLoopId(task, new Date())],
  );
}
