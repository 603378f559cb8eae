import type { Database } from '../database/database.ts';

/** What a pruning removed. */
export interface Pruned {
  /** Jobs whose files, snapshots, events and bundle were removed; the job with its verdict stays. */
  readonly emptied: number;
  /** Jobs that were removed. */
  readonly removed: number;
}

/** Default of `ralph worker --keep`. */
export const KEPT_DAYS = 30;
/** The row of an ended job stays this many times longer than what belongs to it. */
const ROW_FACTOR = 12;
const WORKER_DAYS = 7;
/** Jobs of one transaction, so that no other one waits for long. */
const BATCH = 200;

/**
 * Removes what ended jobs leave behind: their files, snapshots, events and bundles after `keptDays`, the jobs themselves
 * after twelve times as long, and workers that were not heard of for a week. Rejects with the driver's error.
 */
export async function pruneJobs(database: Database, keptDays: number): Promise<Pruned> {
  const removed = await inBatches(database, REMOVE, keptDays * ROW_FACTOR);
  const emptied = await inBatches(database, EMPTY, keptDays);
  await database.query(
    `DELETE FROM ralph.worker WHERE seen_at < now() - make_interval(days => ${WORKER_DAYS})`,
  );
  return { emptied, removed };
}

const ENDED = `SELECT id FROM ralph.job WHERE ended IS NOT NULL AND ended_at < now() - make_interval(secs => $1 * 86400)`;
const REMOVE = `DELETE FROM ralph.job WHERE id IN (${ENDED} ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`;
/** A job is empty when it has no file: its journal is the first one. */
const EMPTY = `
  WITH old AS (${ENDED} AND (bundle IS NOT NULL OR EXISTS (SELECT 1 FROM ralph.loop_file f WHERE f.job = ralph.job.id)
      OR EXISTS (SELECT 1 FROM ralph.event e WHERE e.job = ralph.job.id))
    ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
  files AS (DELETE FROM ralph.loop_file WHERE job IN (SELECT id FROM old)),
  packs AS (DELETE FROM ralph.loop_pack WHERE job IN (SELECT id FROM old)),
  events AS (DELETE FROM ralph.event WHERE job IN (SELECT id FROM old))
  UPDATE ralph.job SET bundle = NULL WHERE id IN (SELECT id FROM old) RETURNING 1`;

async function inBatches(database: Database, statement: string, days: number): Promise<number> {
  for (let count = 0; ;) {
    const rows = await database.query(statement, [days]);
    count += rows.length;
    if (rows.length < BATCH) return count;
  }
}
