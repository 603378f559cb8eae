import type { Queryable } from '../database/database.ts';

/** A living worker is heard of every 2.5 s. */
const SILENT_SECONDS = 10;
/** A lost job is given to another worker about two seconds after its heartbeat is over. */
const SOON_SECONDS = 10;

/**
 * True if a job that another worker has begun may have to be taken soon: its worker is silent, or it was lost a moment ago. What
 * could be taken now, or waits for a host that is away, does not count.
 */
export async function isJobComing(db: Queryable, worker: string): Promise<boolean> {
  const [row] = await db.query<{ comes: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM ralph.job j JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id
       WHERE j.fence > 0 AND j.ended IS NULL AND j.worker IS DISTINCT FROM $1 AND (
         (b.state = 'active' AND b.heartbeat_on < now() - make_interval(secs => ${SILENT_SECONDS}))
         OR (b.state = 'retry' AND b.start_after > now() AND b.start_after < now() + make_interval(secs => ${SOON_SECONDS}))
       )) AS comes`,
    [worker],
  );
  return row!.comes;
}
