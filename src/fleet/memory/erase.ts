import { usageError } from '../../errors.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Database, Queryable } from '../database/database.ts';
import { canonicalName } from '../queue/repository-id.ts';

/** What an erasure removed. */
export interface Erasure {
  readonly reflections: number;
  readonly lessons: number;
  /** Ended jobs with their files, events and results. */
  readonly jobs: number;
}

/**
 * Removes all that the database has of a repository: its memory, and its ended jobs. Throws a usage error if the database
 * has nothing of it, and if one of its jobs still waits or runs.
 */
export function eraseRepository(database: Database, given: string): Promise<Erasure> {
  const name = canonicalName(given);
  return database.transaction(async (tx) => {
    const isOwner = await ownsQueue(tx);
    const open = isOwner ? await openJobs(tx, name) : 0;
    if (open > 0)
      throw usageError(
        `${plural(open, 'job')} of ${name} ${open === 1 ? 'waits or runs' : 'wait or run'}.`,
        `Cancel ${open === 1 ? 'it' : 'them'} first: ralph queue list --repository ${name}`,
      );
    const [counts] = await tx.query<{ reflections: number; lessons: number; found: number }>(
      `WITH own AS (SELECT id, reflections FROM ralph.memory_repository WHERE name = $1)
       SELECT coalesce(sum(reflections), 0)::int AS reflections, count(*)::int AS found,
         (SELECT count(*)::int FROM ralph.memory_lesson WHERE repository IN (SELECT id FROM own)) AS lessons FROM own`,
      [name],
    );
    await tx.query('DELETE FROM ralph.memory_repository WHERE name = $1', [name]);
    const jobs = isOwner ? await eraseJobs(tx, name) : 0;
    const { found, reflections, lessons } = counts!;
    if (found === 0 && jobs === 0)
      throw usageError(
        `The database has nothing of a repository ${JSON.stringify(name)}.`,
        'Names look like github.com/octo/shop; ralph queue list and ralph memory push print them.',
      );
    return { reflections, lessons, jobs };
  });
}

/** Members of an organisation erase its memory; the queue is the owner's. There is none before the first command of the queue. */
async function ownsQueue(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ owns: boolean }>(
    `SELECT CASE WHEN has_table_privilege('ralph.job', 'DELETE') THEN to_regclass('pgboss.job') IS NOT NULL
       ELSE false END AS owns`,
  );
  return row!.owns;
}

async function openJobs(tx: Queryable, name: string): Promise<number> {
  const [row] = await tx.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM ralph.job j JOIN ralph.lane l ON l.id = j.lane
     JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id AND b.state IN ('created', 'retry', 'active')
     WHERE l.repository = $1 AND j.ended IS NULL`,
    [name],
  );
  return row!.open;
}

async function eraseJobs(tx: Queryable, name: string): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    'DELETE FROM ralph.job WHERE lane IN (SELECT id FROM ralph.lane WHERE repository = $1) RETURNING id',
    [name],
  );
  await tx.query('DELETE FROM pgboss.job WHERE id = ANY($1) OR source_id = ANY($1)', [
    rows.map(({ id }) => id),
  ]);
  await tx.query('DELETE FROM ralph.lane WHERE repository = $1', [name]);
  return rows.length;
}
