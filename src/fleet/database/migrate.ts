import { ExitCode, RalphError } from '../../errors.ts';
import type { Database, Queryable } from './database.ts';
import { MIGRATIONS } from './migrations.ts';

/** One version of ralph's tables. */
export interface Migration {
  /** 1-based, without gaps. */
  readonly version: number;
  /** The oldest version of ralph's tables whose programs may still use the database afterwards. */
  readonly oldest: number;
  readonly sql: string;
}

/** A number of our own, so that two programs do not migrate at the same time. */
const LOCK = 7_261_001;

/**
 * Brings ralph's tables to the newest version that this program knows, in one transaction. A database that a newer program
 * has migrated is used as it is if that version allows it, so that machines can be upgraded one after the other. Throws
 * RalphError if it does not.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const known = migrations.at(-1)!.version;
  if (await isCurrent(database, known)) return;
  await database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const found = await readVersion(tx);
    refuseNewer(found, known, database.place);
    for (const migration of migrations.filter(({ version }) => version > found.version)) {
      await tx.query(migration.sql);
      await tx.query(
        'INSERT INTO ralph.version (version, oldest) VALUES ($1, $2) ON CONFLICT (version) DO NOTHING',
        [migration.version, migration.oldest],
      );
    }
  });
}

/** Throws RalphError if only newer programs may use the tables. */
export async function refuseNewerTables(database: Database): Promise<void> {
  refuseNewer(await readVersion(database), MIGRATIONS.at(-1)!.version, database.place);
}

async function isCurrent(database: Database, known: number): Promise<boolean> {
  const found = await readVersion(database);
  refuseNewer(found, known, database.place);
  return found.version >= known;
}

interface FoundVersion {
  /** 0 for a database without ralph's tables. */
  readonly version: number;
  readonly oldest: number;
}

async function readVersion(db: Queryable): Promise<FoundVersion> {
  const [there] = await db.query<{ found: string | null }>("SELECT to_regclass('ralph.version') AS found");
  if (there === undefined || there.found === null) return { version: 0, oldest: 0 };
  const [row] = await db.query<FoundVersion>(
    'SELECT version, oldest FROM ralph.version ORDER BY version DESC LIMIT 1',
  );
  return row ?? { version: 0, oldest: 0 };
}

function refuseNewer({ version, oldest }: FoundVersion, known: number, place: string): void {
  if (oldest <= known) return;
  throw new RalphError(
    `The tables of ralph at ${place} have version ${version}; this ralph knows versions up to ${known}.`,
    {
      code: 'database_failed',
      exitCode: ExitCode.state,
      hint: 'Install the newer ralph on this machine: npm install --global ralph-reflexion',
    },
  );
}
