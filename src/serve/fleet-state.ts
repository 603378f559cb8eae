import { messageOf } from '../errors.ts';
import { findAddress } from '../fleet/database/address.ts';
import { databaseError } from '../fleet/database/database-error.ts';
import { openDatabase, type Database } from '../fleet/database/database.ts';
import { refuseNewerTables } from '../fleet/database/migrate.ts';
import { readPools, type Pool } from '../fleet/queue/budget-pools.ts';
import { readPauses } from '../fleet/queue/lanes.ts';
import { redactValue } from '../platform/redaction/redact.ts';
import { countJobs, listJobs, type JobRow } from '../fleet/queue/read-jobs.ts';
import { listWorkers, type WorkerRow } from '../fleet/queue/workers.ts';

/** Queue and workers of the fleet as the pages show them. */
export interface FleetState {
  readonly counts: Readonly<Record<string, number>>;
  /** Newest first. */
  readonly jobs: readonly JobRow[];
  readonly workers: readonly WorkerRow[];
  readonly pools: readonly Pool[];
  readonly pauses: Awaited<ReturnType<typeof readPauses>>;
}

/** Reads the fleet's database, and changes nothing in it. */
export interface FleetReader {
  /** The state, or one sentence that says why it cannot be read. */
  read(mostJobs: number): Promise<FleetState | string>;
  /** The connection to the database. Rejects with RalphError. */
  connect(): Promise<Database>;
  close(): Promise<void>;
}

/** PostgreSQL's code for a table that does not exist. */
const NO_TABLE = '42P01';
const NO_SCHEMA = '3F000';
const CONNECTIONS = 2;

/** Creates a reader for the database of `findAddress`, which connects at the first read and again after a failure. Throws a usage error for a wrong address. */
export function createFleetReader(env: Readonly<Record<string, string | undefined>>): FleetReader {
  const url = findAddress(env)!;
  let opened: Promise<Database> | undefined;
  const connect = async (): Promise<Database> => {
    opened ??= openDatabase({ url, connections: CONNECTIONS, applicationName: 'ralph serve' });
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  return {
    connect,
    async read(mostJobs) {
      try {
        const database = await connect();
        await refuseNewerTables(database);
        return redactValue(await readState(database, mostJobs));
      } catch (error) {
        const database = await opened?.catch(() => undefined);
        if ([NO_TABLE, NO_SCHEMA].includes((error as { code?: string }).code ?? ''))
          return 'The database has no tables of a fleet yet. ralph submit or ralph worker makes them.';
        return messageOf(databaseError(error, database?.place ?? 'DATABASE_URL'));
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function readState(database: Database, mostJobs: number): Promise<FleetState> {
  return {
    counts: await countJobs(database),
    jobs: mostJobs === 0 ? [] : await listJobs(database, { limit: mostJobs }),
    workers: await listWorkers(database),
    pools: await readPools(database),
    pauses: await readPauses(database),
  };
}
