import type { Pool, PoolClient, QueryResult } from 'pg';
import { databaseError } from './database-error.ts';

/** Runs statements: on any connection, or all on the one of a transaction. */
export interface Queryable {
  /** Rows of one statement, or of several without values. Rejects with the driver's error, which has the SQLSTATE as `code`. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A PostgreSQL database. */
export interface Database extends Queryable {
  /** Host, port and name, without user and password. */
  readonly place: string;
  /** Runs statements in one transaction, which is rolled back if `run` rejects. */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Calls `on` for each notification of a channel, until the returned function is called. `on` is also called after the
   * connection was lost and is there again, because notifications in between are lost.
   */
  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Most connections at the same time. Default 6. */
  readonly connections?: number;
  /** Shown in the server's list of connections. */
  readonly applicationName?: string;
}

/**
 * As a value of a statement: its transaction does not wait for the disk. If the server itself crashes within the next
 * second, the transaction may be lost, as if it had never been; a later one that does wait cannot be there without it.
 */
export const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

const CONNECT_TIMEOUT_MS = 10_000;
const RELISTEN_MS = 1000;

/** Connects to a database. Throws RalphError with a remedy if there is no server, no such database, or no access. */
export async function openDatabase({
  url,
  connections = 6,
  applicationName = 'ralph',
}: DatabaseOptions): Promise<Database> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // An idle connection that the server ends is replaced by the next query.
  pool.on('error', () => {});
  const place = placeOf(url);
  try {
    const client = await pool.connect();
    keepSettings(pool, client, url);
    client.release();
  } catch (error) {
    await pool.end();
    throw databaseError(error, place);
  }
  const listeners = new Set<() => Promise<void>>();
  return {
    place,
    query: async (text, values = []) => rowsOf(await pool.query(text, [...values])) as never,
    transaction: (run) => inTransaction(pool, run),
    async listen(channel, on) {
      const stop = await listenOn(pool, channel, on);
      listeners.add(stop);
      return async () => {
        listeners.delete(stop);
        await stop();
      };
    },
    async close() {
      await Promise.all([...listeners].map((stop) => stop()));
      await pool.end();
    },
  };
}

/**
 * Later connections are made as the first one: the variables of PostgreSQL, such as PGPASSWORD, may be gone by then. A password
 * of ~/.pgpass is read again each time.
 */
function keepSettings({ options }: Pool, client: PoolClient, url: string): void {
  const { connectionParameters, password } = client as unknown as {
    readonly connectionParameters: object;
    readonly password: unknown;
  };
  const { PGPASSWORD, PGPASSFILE } = process.env;
  const isKept = new URL(url).password !== '' || PGPASSWORD !== undefined || PGPASSFILE !== undefined;
  delete options.connectionString;
  Object.assign(options, connectionParameters);
  Object.defineProperty(options, 'password', { value: isKept ? password : undefined, enumerable: false });
}

/** Host, port and name of a database's address, without user and password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the address';
  const { hostname, port, pathname } = new URL(url);
  return `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}${pathname}`;
}

async function inTransaction<T>(pool: Pool, run: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  // Without a listener, a connection that is lost between two statements would end the program.
  const onError = (error: Error): void => void (failure = error);
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await run(queriesOf(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((refused: Error) => (failure ??= refused));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(failure);
  }
}

function queriesOf(client: PoolClient): Queryable {
  return { query: async (text, values = []) => rowsOf(await client.query(text, [...values])) as never };
}

/** Several statements in one text, as pg-boss sends them, have a result each. */
function rowsOf(result: QueryResult | QueryResult[]): unknown[] {
  return Array.isArray(result) ? result.flatMap(({ rows }) => rows as unknown[]) : result.rows;
}

/** Listens on a connection of its own, which is replaced when it is lost. */
async function listenOn(
  pool: Pool,
  channel: string,
  on: (payload: string) => void,
): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let client = await connect();

  async function connect(): Promise<InstanceType<typeof pg.Client>> {
    const fresh = new pg.Client(pool.options);
    fresh.on('error', () => {});
    fresh.on('notification', ({ payload }) => on(payload ?? ''));
    await fresh.connect();
    await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    // Only now: a connection that fails ends as well, and each end would begin one more.
    fresh.once('end', reconnectLater);
    return fresh;
  }
  function reconnectLater(): void {
    if (!isClosed) timer = setTimeout(() => void reconnect(), RELISTEN_MS);
  }
  async function reconnect(): Promise<void> {
    try {
      client = await connect();
      if (isClosed) await client.end();
      else on('');
    } catch {
      reconnectLater();
    }
  }
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await client.end().catch(() => {});
  };
}
