import { LOOPS, statementsOf } from './boss.ts';
import { chargeAbandoned } from './charge.ts';
import type { Limit } from './lanes.ts';
import type { Fleet } from './open-fleet.ts';
import { QUEUE_CHANNEL } from './submit.ts';

/** Cancels a job that waits or runs: its worker ends the loop within a heartbeat. False if it had ended. */
export async function cancelJob({ database, boss }: Fleet, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query(
      `UPDATE ralph.job j SET ended = 'cancelled', ended_at = now(), reason = 'Cancelled.', reserved_usd = 0, reserved_tokens = 0
       WHERE id = $1 AND ended IS NULL AND EXISTS (
         SELECT 1 FROM pgboss.job b WHERE b.name = 'loops' AND b.id = j.id AND b.state < 'completed')
       RETURNING 1`,
      [id],
    );
    if (row === undefined) return false;
    await chargeAbandoned(tx, id);
    await boss.cancel(LOOPS, id, { db: statementsOf(tx) });
    return true;
  });
}

/** What `ralph queue pause` and `resume` are about. */
export interface PauseTarget {
  readonly kind: 'all' | 'repository' | 'organisation';
  /** Empty for `all`. */
  readonly name: string;
}

/** Takes no further job of the target until it is resumed; running loops go on. */
export async function pause({ database }: Fleet, { kind, name }: PauseTarget): Promise<void> {
  await database.query('INSERT INTO ralph.pause (kind, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    kind,
    name,
  ]);
}

/** Ends a pause; false if there was none. */
export async function resume({ database }: Fleet, { kind, name }: PauseTarget): Promise<boolean> {
  const rows = await database.query('DELETE FROM ralph.pause WHERE kind = $1 AND name = $2 RETURNING 1', [
    kind,
    name,
  ]);
  await wake({ database });
  return rows.length > 0;
}

/** Sets the most loops at a time; undefined removes the limit. */
export async function setLimit(
  { database }: Fleet,
  { kind, name, most }: Omit<Limit, 'most'> & { readonly most: number | undefined },
): Promise<void> {
  if (most === undefined)
    await database.query('DELETE FROM ralph.most WHERE kind = $1 AND name = $2', [kind, name]);
  else
    await database.query(
      `INSERT INTO ralph.most (kind, name, most) VALUES ($1, $2, $3)
       ON CONFLICT (kind, name) DO UPDATE SET most = excluded.most`,
      [kind, name, most],
    );
  await wake({ database });
}

/** Sets what the jobs of a pool may spend together; null: without a limit; undefined: as before. */
export async function setPool(
  { database }: Fleet,
  pool: {
    readonly kind: 'all' | 'organisation' | 'model';
    readonly name: string;
    readonly costUsd?: number | null | undefined;
    readonly tokens?: number | null | undefined;
  },
): Promise<void> {
  const { kind, name, costUsd, tokens } = pool;
  await database.query(
    `INSERT INTO ralph.pool (kind, name, cost_usd, tokens) VALUES ($1, $2, $3, $4)
     ON CONFLICT (kind, name) DO UPDATE SET
       cost_usd = CASE WHEN $5 THEN excluded.cost_usd ELSE ralph.pool.cost_usd END,
       tokens = CASE WHEN $6 THEN excluded.tokens ELSE ralph.pool.tokens END`,
    [kind, name, costUsd ?? null, tokens ?? null, costUsd !== undefined, tokens !== undefined],
  );
  await wake({ database });
}

async function wake({ database }: Pick<Fleet, 'database'>): Promise<void> {
  await database.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
}
