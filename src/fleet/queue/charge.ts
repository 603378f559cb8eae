import type { Usage } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';
import { amountOf, excess, most, type Amount } from './amount.ts';
import { APPLIES } from './budget-pools.ts';

/**
 * Charges the pools of a job with what its loop has spent so far, less what they were charged with before: `spent` is a sum, so
 * that it may be said again, by another machine as well, and is paid once. To be called in a transaction.
 */
export async function chargeJob(tx: Queryable, job: string, spent: Amount): Promise<void> {
  const [row] = await tx.query<Amount>(
    'SELECT coalesce(cost_usd, 0) AS usd, coalesce(tokens, 0)::float8 AS tokens FROM ralph.job WHERE id = $1 FOR UPDATE',
    [job],
  );
  const before = row!;
  const fresh = excess(spent, before);
  if (fresh.usd === 0 && fresh.tokens === 0) return;
  // In one order, so that two jobs with the same pools do not wait for each other.
  await tx.query(
    `WITH own AS (
       SELECT p.kind, p.name FROM ralph.pool p, ralph.job j JOIN ralph.lane l ON l.id = j.lane
       WHERE j.id = $1 AND ${APPLIES} ORDER BY p.kind, p.name FOR UPDATE OF p)
     UPDATE ralph.pool p SET spent_usd = p.spent_usd + $2, spent_tokens = p.spent_tokens + $3
     FROM own WHERE p.kind = own.kind AND p.name = own.name`,
    [job, fresh.usd, fresh.tokens],
  );
  const { usd, tokens } = most(spent, before);
  await tx.query('UPDATE ralph.job SET cost_usd = $2, tokens = $3 WHERE id = $1', [job, usd, tokens]);
}

/** Charges the usage of a loop that has ended, and gives back what is reserved for it and was not spent. */
export async function settleBudget(tx: Queryable, job: string, usage: Usage | undefined): Promise<void> {
  if (usage !== undefined) await chargeJob(tx, job, amountOf(usage));
  await tx.query(
    `UPDATE ralph.job SET reserved_usd = 0, reserved_tokens = 0, cost_usd = coalesce(cost_usd, $2), tokens = coalesce(tokens, $3)
     WHERE id = $1`,
    [job, usage?.cost_usd ?? null, usage === undefined ? null : amountOf(usage).tokens],
  );
}
