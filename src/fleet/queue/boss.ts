import type { PgBoss, Db } from 'pg-boss';
import type { Database, Queryable } from '../database/database.ts';

/** The queue of loops, and where pg-boss puts a job that no machine could run. */
export const LOOPS = 'loops';
export const DEAD = 'loops-dead';
/** Priority of a job whose loop another machine has begun, above each that `--priority` permits. */
export const FIRST = 2_000_000;
/** A job that three machines have taken and lost is not given to a fourth one. */
export const MACHINES_PER_JOB = 3;
/** pg-boss's own schema. */
const BOSS_SCHEMA = 'pgboss';

export interface QueueOptions {
  /** True for a worker: it also finds jobs whose heartbeat is lost, and deletes old ones. */
  readonly supervise: boolean;
  /** A machine that has not been heard of for this long has lost its jobs, in seconds; 10 or more. */
  readonly heartbeatSeconds: number;
}

/** Default of `--heartbeat`, in seconds. */
export const HEARTBEAT_SECONDS = 30;
/** Ended jobs of pg-boss are deleted after this time; ralph's own record of them stays. */
const KEPT_SECONDS = 7 * 24 * 3600;
/** pg-boss ends a job that is active for longer, although its heartbeat comes. */
const LONGEST_LOOP_SECONDS = 23 * 3600;
const WAITING_SECONDS = 90 * 24 * 3600;
const RETRY_SECONDS = 2;

/** Starts pg-boss on a database, with its tables and ralph's queues. Rejects with the driver's error. */
export async function openQueue(
  database: Database,
  { supervise, heartbeatSeconds }: QueueOptions,
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const interval = Math.max(1, Math.round(heartbeatSeconds / 5));
  const boss = new PgBoss({
    db: statementsOf(database),
    schema: BOSS_SCHEMA,
    schedule: false,
    supervise,
    superviseIntervalSeconds: interval,
    monitorIntervalSeconds: interval,
  });
  // The server may be away for a while: the next interval tries again.
  boss.on('error', () => {});
  await boss.start();
  await ensureQueues(boss, heartbeatSeconds);
  return boss;
}

/** pg-boss's view of a database or a transaction. */
export function statementsOf(db: Queryable): Db {
  return { executeSql: async (text, values = []) => ({ rows: await db.query(text, values) }) };
}

/** `singleton`: one job of a key is active at a time, here one loop of a branch. */
async function ensureQueues(boss: PgBoss, heartbeatSeconds: number): Promise<void> {
  const times = {
    heartbeatSeconds,
    expireInSeconds: LONGEST_LOOP_SECONDS,
    retentionSeconds: WAITING_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
  };
  const existing = await boss.getQueue(LOOPS);
  if (existing === null) {
    await boss.createQueue(DEAD, { retentionSeconds: WAITING_SECONDS });
    await boss.createQueue(LOOPS, {
      ...times,
      policy: 'singleton',
      deadLetter: DEAD,
      retryLimit: MACHINES_PER_JOB - 1,
      retryDelay: RETRY_SECONDS,
    });
  } else if (existing.heartbeatSeconds !== heartbeatSeconds)
    await boss.updateQueue(LOOPS, { heartbeatSeconds });
}
