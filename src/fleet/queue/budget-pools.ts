import { ACTORS } from '../../actors.ts';
import { actorOf } from '../../config/settings.ts';
import type { Config } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';
import type { Amount } from './amount.ts';

/** Money and tokens that several jobs share. A null amount is unlimited. */
export interface Pool {
  readonly kind: 'all' | 'organisation' | 'model';
  /** Empty for `all`. */
  readonly name: string;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly spent_usd: number;
  readonly spent_tokens: number;
  /** Promised to jobs that run, or wait to be resumed. */
  readonly reserved_usd: number;
  readonly reserved_tokens: number;
}

/** What a job that is taken again has of its pools already: its machine was lost, or released it. */
export interface OwnPart {
  /** What its loop has spent. */
  readonly spent: Amount;
  /** What it may still spend by its last promise. */
  readonly reserved: Amount;
}

/** What one job may spend at most; undefined: without a limit. */
export interface Grant {
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

/** The part of what is left of a pool that a job without a budget of its own gets. */
const SHARE = 0.25;
/** The least that it gets, as a part of the whole pool: with less, loops would be paid for that cannot end well. */
const LEAST_SHARE = 0.05;
/** Shares in dollars are whole numbers of these. */
const UNIT_USD = 1e-4;
/** No call can be made with it. */
const LEAST_USD = 1e-9;

/** True for the pools that a lane's jobs draw from, written as a condition on the pool `p` and the lane `l`. */
export const APPLIES = `(p.kind = 'all' OR (p.kind = 'organisation' AND p.name = l.organisation) OR (p.kind = 'model' AND p.name = l.model))`;

/** The part of the job `j` in its pools, as SQL of a JSON object. */
export const OWN_PART = `json_build_object(
    'spent', json_build_object('usd', coalesce(j.cost_usd, 0), 'tokens', coalesce(j.tokens, 0)),
    'reserved', json_build_object('usd', greatest(0, j.reserved_usd - coalesce(j.cost_usd, 0)),
      'tokens', greatest(0, j.reserved_tokens - coalesce(j.tokens, 0))))`;

/** Every pool with what is reserved of it, as SQL: what begun loops may spend beyond what they have spent. */
export const POOLS = `SELECT p.kind, p.name, p.cost_usd, p.tokens::float8, p.spent_usd, p.spent_tokens::float8,
    coalesce(r.usd, 0)::float8 AS reserved_usd, coalesce(r.tokens, 0)::float8 AS reserved_tokens
  FROM ralph.pool p LEFT JOIN LATERAL (
    SELECT sum(greatest(0, j.reserved_usd - coalesce(j.cost_usd, 0))) AS usd,
      sum(greatest(0, j.reserved_tokens - coalesce(j.tokens, 0))) AS tokens
    FROM ralph.job j JOIN ralph.lane l ON l.id = j.lane
    JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id AND b.state < 'completed'
    WHERE (j.reserved_usd > 0 OR j.reserved_tokens > 0) AND ${APPLIES}
  ) r ON true ORDER BY p.kind, p.name`;

/** Every pool with what is reserved of it. */
export function readPools(db: Queryable): Promise<Pool[]> {
  return db.query<Pool>(POOLS);
}

/** True if nothing is left of a pool, so that no job that draws from it may start. */
export function isSpent(pool: Pool): boolean {
  const left = leftOf(pool);
  return (left.costUsd ?? 1) <= 0 || (left.tokens ?? 1) <= 0;
}

/**
 * What a job may spend of its pools: its own budget, or a quarter of what is left if it has none, and at least a twentieth of
 * the whole. Undefined if that does not fit now, but may fit when running jobs give back what they do not use.
 */
export function grantFor(pools: readonly Pool[], own: Grant): Grant | undefined {
  const cost = least(pools.map((pool) => partOf(pool.cost_usd, leftOf(pool).costUsd, own.costUsd)));
  const tokens = least(pools.map((pool) => partOf(pool.tokens, leftOf(pool).tokens, own.tokens)));
  const mayGrow = pools.some((pool) => pool.reserved_usd > 0 || pool.reserved_tokens > 0);
  if (mayGrow && !(cost.fits && tokens.fits)) return undefined;
  return {
    costUsd: own.costUsd === undefined ? roundedDown(cost.amount) : cost.amount,
    tokens: tokens.amount === undefined ? undefined : Math.max(1, Math.floor(tokens.amount)),
  };
}

/** The grant without an amount that the loop does not know of. */
export function grantWithout({ costUsd, tokens }: Grant, lost: Amount): Grant {
  return {
    costUsd: costUsd === undefined ? undefined : Math.max(LEAST_USD, costUsd - lost.usd),
    tokens: tokens === undefined ? undefined : Math.max(1, tokens - lost.tokens),
  };
}

/** The pools without the part of a job that is taken again: its promise is made anew, for its whole loop. */
export function withoutOwn(pools: readonly Pool[], { spent, reserved }: OwnPart): Pool[] {
  return pools.map((pool) => ({
    ...pool,
    spent_usd: Math.max(0, pool.spent_usd - spent.usd),
    spent_tokens: Math.max(0, pool.spent_tokens - spent.tokens),
    reserved_usd: Math.max(0, pool.reserved_usd - reserved.usd),
    reserved_tokens: Math.max(0, pool.reserved_tokens - reserved.tokens),
  }));
}

/** The pools without what a job's actor does not report, and so can neither keep to nor be charged with. */
export function poolsFor({ config, pools }: { config: Config; pools: readonly Pool[] }): Pool[] {
  const { reportsCost } = ACTORS[actorOf(config)];
  return pools.map((pool) => (reportsCost ? pool : { ...pool, cost_usd: null }));
}

function leftOf(pool: Pool): Grant {
  const left = (total: number | null, spent: number, reserved: number): number | undefined =>
    total === null ? undefined : total - spent - reserved;
  return {
    costUsd: left(pool.cost_usd, pool.spent_usd, pool.reserved_usd),
    tokens: left(pool.tokens, pool.spent_tokens, pool.reserved_tokens),
  };
}

/** A part of a pool; undefined: without a limit. */
interface Part {
  readonly amount: number | undefined;
  /** False if the job should have more. */
  readonly fits: boolean;
}

function partOf(total: number | null, left: number | undefined, own: number | undefined): Part {
  if (total === null || left === undefined) return { amount: own, fits: true };
  const wanted = own ?? Math.max(left * SHARE, total * LEAST_SHARE);
  return { amount: Math.min(wanted, left), fits: left >= wanted };
}

function least(parts: readonly Part[]): Part {
  const amounts = parts.flatMap(({ amount }) => amount ?? []);
  return {
    amount: amounts.length === 0 ? undefined : Math.min(...amounts),
    fits: parts.every(({ fits }) => fits),
  };
}

/** Dollars without a tail of digits; less than a unit stays as it is. */
function roundedDown(usd: number | undefined): number | undefined {
  if (usd === undefined || usd < UNIT_USD) return usd;
  return Number((Math.floor(usd / UNIT_USD + 1e-9) * UNIT_USD).toFixed(4));
}
