import type { Queryable } from '../database/database.ts';
import { ABANDONED } from './charge.ts';
import { isSpent, POOLS, type Pool } from './budget-pools.ts';
import { reachOf } from './repository-globs.ts';
import { LOST, SILENT, type LostJob, type SilentJob } from './silent-jobs.ts';

/** Jobs that the same limits hold for: a group of pg-boss. */
export interface Lane {
  readonly id: string;
  readonly organisation: string;
  readonly repository: string;
  /** Empty for the offline actor. */
  readonly model: string;
  readonly labels: readonly string[];
  /** Loops of the lane that run now. */
  readonly running: number;
}

/** What a worker may take. */
export interface WorkerReach {
  readonly labels: readonly string[];
  /** Globs of repositories' names; empty: all. */
  readonly repositories: readonly string[];
}

/** The most loops at a time of a repository, an organisation or a model; the name `*` holds for those without a row. */
export interface Limit {
  readonly kind: (typeof LIMIT_KINDS)[number];
  readonly name: string;
  readonly most: number;
}

const LIMIT_KINDS = ['repository', 'organisation', 'model'] as const;

interface Pause {
  readonly kind: 'all' | 'repository' | 'organisation';
  readonly name: string;
}

const LANES = `SELECT l.id::text AS id, l.organisation, l.repository, l.model, l.labels, coalesce(a.running, 0)::int AS running
  FROM ralph.lane l LEFT JOIN (
    SELECT group_id, count(*) AS running FROM pgboss.job
    WHERE name = 'loops' AND state = 'active' AND group_id IS NOT NULL GROUP BY group_id
  ) a ON a.group_id = l.id::text`;
const LIMITS = 'SELECT kind, name, most FROM ralph.most ORDER BY kind, name';
const PAUSES = 'SELECT kind, name FROM ralph.pause ORDER BY kind, name';

/** Lanes with a job that a machine has begun and another one is to continue: what it may spend is reserved already. */
const BEGUN = `SELECT DISTINCT j.lane::text FROM ralph.job j JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id
  WHERE j.fence > 0 AND j.ended IS NULL
    AND (b.state = 'retry' OR (b.state = 'created' AND (j.reserved_usd > 0 OR j.reserved_tokens > 0)))`;

/** What decides which job may be taken now. */
export interface QueueRules {
  readonly lanes: readonly Lane[];
  readonly limits: readonly Limit[];
  readonly pauses: readonly Pause[];
  readonly pools: readonly Pool[];
  readonly lost: readonly LostJob[];
  readonly silent: readonly SilentJob[];
  /** Ids of jobs with model calls that nobody waits for, which are not charged yet. */
  readonly abandoned: readonly string[];
  /** Ids of the lanes of begun jobs that wait. */
  readonly begun: readonly string[];
}

const listOf = (rows: string): string => `(SELECT coalesce(json_agg(r), '[]'::json) FROM (${rows}) r)`;
const RULES = `SELECT ${listOf(LANES)} AS lanes, ${listOf(LIMITS)} AS limits, ${listOf(PAUSES)} AS pauses, ${listOf(POOLS)} AS pools,
  ${listOf(LOST)} AS lost, ${listOf(SILENT)} AS silent, array(${BEGUN}) AS begun,
  array(${ABANDONED}) AS abandoned`;

/** Reads everything that a take needs, after the statement `first`, in one message to the server. */
export async function readRulesAfter(tx: Queryable, first: string): Promise<QueueRules> {
  return (await tx.query<QueueRules>(`${first}; ${RULES}`)).at(-1)!;
}

/** Reads everything that a take needs. */
export async function readRules(db: Queryable): Promise<QueueRules> {
  return (await db.query<QueueRules>(RULES))[0]!;
}

/** The limits that are set. */
export function readLimits(db: Queryable): Promise<Limit[]> {
  return db.query<Limit>(LIMITS);
}

/** What is paused. */
export function readPauses(db: Queryable): Promise<Pause[]> {
  return db.query<Pause>(PAUSES);
}

/** The lanes of which a worker may take no job now: out of its reach, paused, at a limit, or without money. */
export function blockedLanes(
  lanes: readonly Lane[],
  rules: {
    readonly reach: WorkerReach;
    readonly limits: readonly Limit[];
    readonly pauses: readonly Pause[];
    readonly pools: readonly Pool[];
    readonly begun?: readonly string[];
  },
): Lane[] {
  const { reach, limits, pauses, begun = [] } = rules;
  const spent = rules.pools.filter(isSpent);
  const isInReach = reachOf(reach.repositories);
  const isPaused = (lane: Lane): boolean =>
    pauses.some(({ kind, name }) => kind === 'all' || lane[kind] === name);
  const full = new Set(LIMIT_KINDS.flatMap((kind) => fullNames(lanes, kind, limits)));
  return lanes.filter(
    (lane) =>
      !lane.labels.every((label) => reach.labels.includes(label)) ||
      !isInReach(lane.repository) ||
      isPaused(lane) ||
      (poolsOf(lane, spent).length > 0 && !begun.includes(lane.id)) ||
      LIMIT_KINDS.some((kind) => full.has(`${kind} ${lane[kind]}`)),
  );
}

/** The pause or the limit that keeps every worker from a lane's jobs now, as a sentence; undefined if there is none. */
export function describeBlock(
  lane: Lane,
  { lanes, limits, pauses }: Pick<QueueRules, 'lanes' | 'limits' | 'pauses'>,
): string | undefined {
  const pause = pauses.find(({ kind, name }) => kind === 'all' || lane[kind] === name);
  if (pause !== undefined) {
    const flag = pause.kind === 'all' ? '' : ` --${pause.kind} ${pause.name}`;
    return `${pause.kind === 'all' ? 'The whole queue' : `The ${pause.kind} ${pause.name}`} is paused. End the pause with: ralph queue resume${flag}`;
  }
  const kind = LIMIT_KINDS.find((it) => fullNames(lanes, it, limits).includes(`${it} ${lane[it]}`));
  return kind === undefined
    ? undefined
    : `As many loops of the ${kind} ${lane[kind]} run as its limit allows. See it: ralph queue limit`;
}

/** The pools that a lane's jobs draw from. */
export function poolsOf(lane: Lane, pools: readonly Pool[]): Pool[] {
  return pools.filter(({ kind, name }) => kind === 'all' || lane[kind] === name);
}

function fullNames(lanes: readonly Lane[], kind: Limit['kind'], limits: readonly Limit[]): string[] {
  const own = new Map(limits.filter((limit) => limit.kind === kind).map(({ name, most }) => [name, most]));
  if (own.size === 0) return [];
  const running = new Map<string, number>();
  for (const lane of lanes) running.set(lane[kind], (running.get(lane[kind]) ?? 0) + lane.running);
  return [...running]
    .filter(([name, count]) => count >= (own.get(name) ?? own.get('*') ?? Infinity))
    .map(([name]) => `${kind} ${name}`);
}
