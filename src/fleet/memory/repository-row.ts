import type { Queryable } from '../database/database.ts';
import type { RepositoryId } from '../queue/repository-id.ts';

/** A repository whose memory is in the database. */
export interface StoredRepository extends Pick<RepositoryId, 'name' | 'organisation'> {
  /** A number, as text. */
  readonly id: string;
}

/** The repository, which is added if it is new. Rejects with the driver's error. */
export async function storedRepository(
  db: Queryable,
  repository: Pick<RepositoryId, 'name' | 'organisation'>,
): Promise<StoredRepository> {
  const { name, organisation } = repository;
  await db.query(
    'INSERT INTO ralph.memory_repository (organisation, name) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [organisation, name],
  );
  return (await findStoredRepository(db, repository))!;
}

/** The repository; undefined if the database has no memory of it, or does not show it to this role. */
async function findStoredRepository(
  db: Queryable,
  { name, organisation }: Pick<RepositoryId, 'name' | 'organisation'>,
): Promise<StoredRepository | undefined> {
  const [row] = await db.query<{ id: string }>(
    'SELECT id::text FROM ralph.memory_repository WHERE organisation = $1 AND name = $2',
    [organisation, name],
  );
  return row === undefined ? undefined : { id: row.id, name, organisation };
}
