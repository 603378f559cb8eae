import { usageError } from '../../errors.ts';
import type { Database, Queryable } from '../database/database.ts';
import { canonicalName } from '../queue/repository-id.ts';

/** Tables of memory that a member uses, all with row-level security. */
const TABLES = ['repository', 'reflection', 'file', 'lesson', 'audit', 'document', 'repair'].map(
  (name) => `ralph.memory_${name}`,
);

/** A role of PostgreSQL that reads and writes the memory of an organisation. */
export interface Member {
  readonly role: string;
  readonly organisation: string;
}

/**
 * Lets a role of the server use the memory of an organisation, and nothing else of the fleet. Throws a usage error if there
 * is no such role, if it may read everything anyway, or if the organisation is no name.
 */
export async function grantMemory(database: Database, { role, organisation }: Member): Promise<void> {
  if (!/^[^\s*?[\]{}/]+(?:\/[^\s*?[\]{}/]+)*$/.test(organisation))
    throw usageError(
      `${JSON.stringify(organisation)} is not the name of an organisation.`,
      'Give one whole name, such as github.com/octo-org, or local for repositories on the disk.',
    );
  await database.transaction(async (tx) => {
    const [owner] = await tx.query<{ mayGrant: boolean }>(
      `SELECT pg_has_role(current_user, relowner, 'USAGE') AS "mayGrant" FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'ralph' AND c.relname = 'member'`,
    );
    if (owner?.mayGrant === false)
      throw usageError(
        `The user of DATABASE_URL does not own the tables of the fleet at ${database.place}, and so permits nobody.`,
        'Use the address of their owner in DATABASE_URL.',
      );
    const [found] = await tx.query<{ quoted: string; isFree: boolean }>(
      `SELECT quote_ident(rolname) AS quoted, rolsuper OR rolbypassrls OR pg_has_role(rolname, current_user, 'MEMBER') AS "isFree"
       FROM pg_roles WHERE rolname = $1`,
      [role],
    );
    if (found === undefined)
      throw usageError(
        `PostgreSQL at ${database.place} has no role ${JSON.stringify(role)}.`,
        `Create it: CREATE ROLE ${role} LOGIN PASSWORD '…'`,
      );
    if (found.isFree)
      throw usageError(
        `The role ${role} owns the tables, or is not bound by row-level security: it reads every organisation's memory.`,
        'Name a role that was made for this organisation.',
      );
    await tx.query(`GRANT USAGE ON SCHEMA ralph TO ${found.quoted}`);
    await tx.query(`GRANT SELECT ON ralph.version TO ${found.quoted}`);
    await tx.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO ${found.quoted}`);
    await tx.query('INSERT INTO ralph.member (role, organisation) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      role,
      canonicalName(organisation),
    ]);
  });
}

/** Ends a role's membership; false if it was no member. */
export async function revokeMemory(database: Database, { role, organisation }: Member): Promise<boolean> {
  const rows = await database.query(
    'DELETE FROM ralph.member WHERE role = $1 AND organisation = $2 RETURNING 1',
    [role, canonicalName(organisation)],
  );
  return rows.length > 0;
}

/** The organisations whose memory was given to the role of this connection; none for the owner of the tables, who has all. */
export async function organisationsOf(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>('SELECT ralph.organisations() AS name');
  return rows.map(({ name }) => name);
}
