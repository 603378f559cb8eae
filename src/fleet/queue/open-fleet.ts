import type { PgBoss } from 'pg-boss';
import { requireAddress } from '../database/address.ts';
import { databaseError, isOfDatabase } from '../database/database-error.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { HEARTBEAT_SECONDS, openQueue, type QueueOptions } from './boss.ts';

/** The fleet's database and its queue. */
export interface Fleet {
  readonly database: Database;
  readonly boss: PgBoss;
  close(): Promise<void>;
}

export interface FleetOptions extends Partial<QueueOptions> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: `DATABASE_URL`, or the local server of `ralph fleet up`. */
  readonly url?: string;
  readonly connections?: number;
  readonly applicationName?: string;
}

/** Connects to the fleet's database and brings its tables to this version. Throws RalphError with a remedy. */
export async function openFleet({
  env,
  url,
  supervise = false,
  heartbeatSeconds,
  ...rest
}: FleetOptions): Promise<Fleet> {
  const database = await openDatabase({ ...rest, url: url ?? requireAddress(env) });
  try {
    await migrate(database);
    const boss = await openQueue(database, {
      supervise,
      heartbeatSeconds: heartbeatSeconds ?? (await heartbeatOf(database)),
    });
    return {
      database,
      boss,
      async close() {
        await boss.stop({ graceful: false });
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw databaseError(error, database.place);
  }
}

/** Opens the fleet for `act` and closes it afterwards. An error of the server is thrown as RalphError with a remedy. */
export async function useFleet<T>(options: FleetOptions, act: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = await openFleet(options);
  try {
    return await act(fleet);
  } catch (error) {
    throw isOfDatabase(error) ? databaseError(error, fleet.database.place) : error;
  } finally {
    await fleet.close();
  }
}

/** The heartbeat that a worker has set before, in seconds. */
async function heartbeatOf(database: Database): Promise<number> {
  const [there] = await database.query<{ found: string | null }>(
    "SELECT to_regclass('pgboss.queue') AS found",
  );
  if (there === undefined || there.found === null) return HEARTBEAT_SECONDS;
  const [row] = await database.query<{ seconds: number | null }>(
    "SELECT heartbeat_seconds AS seconds FROM pgboss.queue WHERE name = 'loops'",
  );
  return row?.seconds ?? HEARTBEAT_SECONDS;
}
