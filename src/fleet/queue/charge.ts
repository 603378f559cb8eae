import type { Usage } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';
import { amountOf, excess, most, sum, type Amount } from './amount.ts';
import { APPLIES } from './budget-pools.ts';

/**
 * Charges the pools of a job with what its loop has spent so far, less what they were charged with before: `spent` is a sum, so
 * that it may be said again, by another machine as well, and is paid once. To be called in a transaction.
 */
export async function chargeJob(tx: Queryable, job: string, spent: Amount): Promise<void> {
  const { before, lost } = await amountsOf(tx, job);
  const all = sum(spent, lost);
  const fresh = excess(all, before);
  if (fresh.usd === 0 && fresh.tokens === 0) return;
  await charge(tx, job, fresh);
  const { usd, tokens } = most(all, before);
  await tx.query('UPDATE ralph.job SET cost_usd = $2, tokens = $3 WHERE id = $1', [job, usd, tokens]);
}

/** Model calls that run, of jobs that no worker holds any more: their replies never come. */
export const ABANDONED = `SELECT j.id FROM ralph.job j WHERE j.asked_tokens > 0 AND NOT EXISTS (
    SELECT 1 FROM pgboss.job b WHERE b.name = 'loops' AND b.id = j.id AND b.state = 'active')`;

/**
 * Charges a job with the most that its running model calls may take, because what they have cost is not going to be known. To be
 * called in a transaction.
 */
export async function chargeAbandoned(tx: Queryable, job: string): Promise<void> {
  const { asked } = await amountsOf(tx, job);
  if (asked.tokens === 0) return;
  await charge(tx, job, asked);
  await tx.query(
    `UPDATE ralph.job SET asked_usd = 0, asked_tokens = 0, lost_usd = lost_usd + asked_usd, lost_tokens = lost_tokens + asked_tokens,
       cost_usd = coalesce(cost_usd, 0) + asked_usd, tokens = coalesce(tokens, 0) + asked_tokens WHERE id = $1`,
    [job],
  );
}

/** As SQL, for an update of a job whose model calls have ended. */
export const NOTHING_ASKED = 'asked_usd = 0, asked_tokens = 0';

interface Amounts {
  /** Amount that the pools were charged with so far. */
  readonly before: Amount;
  readonly asked: Amount;
  readonly lost: Amount;
}

async function amountsOf(tx: Queryable, job: string): Promise<Amounts> {
  const [row] = await tx.query<Amounts>(
    `SELECT json_build_object('usd', coalesce(cost_usd, 0), 'tokens', coalesce(tokens, 0)) AS before,
       json_build_object('usd', asked_usd, 'tokens', asked_tokens) AS asked,
       json_build_object('usd', lost_usd, 'tokens', lost_tokens) AS lost
     FROM ralph.job WHERE id = $1 FOR UPDATE`,
    [job],
  );
  return row!;
}

async function charge(tx: Queryable, job: string, { usd, tokens }: Amount): Promise<void> {
  // In one order, so that two jobs with the same pools do not wait for each other.
  await tx.query(
    `WITH own AS (
       SELECT p.kind, p.name FROM ralph.pool p, ralph.job j JOIN ralph.lane l ON l.id = j.lane
       WHERE j.id = $1 AND ${APPLIES} ORDER BY p.kind, p.name FOR UPDATE OF p)
     UPDATE ralph.pool p SET spent_usd = p.spent_usd + $2, spent_tokens = p.spent_tokens + $3
     FROM own WHERE p.kind = own.kind AND p.name = own.name`,
    [job, usd, tokens],
  );
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
