import type { JobAttempt } from 'pg-boss';
import { WITHOUT_WAITING, type Queryable } from '../database/database.ts';
import type { Amount } from './amount.ts';
import { LOOPS, statementsOf } from './boss.ts';
import {
  grantFor,
  grantWithout,
  OWN_PART,
  poolsFor,
  withoutOwn,
  type Grant,
  type OwnPart,
  type Pool,
} from './budget-pools.ts';
import { chargeAbandoned } from './charge.ts';
import type { StoredRequest } from './job-request.ts';
import {
  blockedLanes,
  poolsOf,
  readRules,
  readRulesAfter,
  type Lane,
  type QueueRules,
  type WorkerReach,
} from './lanes.ts';
import type { Fleet } from './open-fleet.ts';
import { endSilence, putFirst } from './silent-jobs.ts';

/** A job that this worker holds until it settles or loses it. */
export interface TakenJob {
  readonly id: string;
  /** Names this hold of the job in pg-boss. */
  readonly attempt: JobAttempt;
  /** How often the job was taken, this time included: writes of an earlier take are refused. */
  readonly fence: number;
  /** Number of different workers that have taken the job, this one included. */
  readonly machines: number;
  /** Id of the worker that holds it. */
  readonly worker: string;
  readonly repository: string;
  readonly organisation: string;
  readonly address: string;
  readonly ref: string;
  readonly task: string;
  readonly request: StoredRequest;
  readonly loopId: string;
  /** Commit that an earlier machine started from; null for the first one. */
  readonly base: string | null;
  readonly retryLimit: number;
  /** What the job may spend. */
  readonly grant: Grant;
}

/** The worker that takes. */
export interface Taker extends WorkerReach {
  /** Id of the worker. */
  readonly id: string;
  readonly name: string;
}

/** Takes are made one after the other, so that two workers together do not exceed a limit. */
const LOCK = 7_261_002;
/** Lanes whose next job does not fit into its budget pool are passed over; so many in one call. */
const MOST_PASSED_OVER = 5;

/**
 * Takes the most urgent job that the limits allow; undefined if there is none. Rejects with the driver's error. A take that
 * a crash of the server undoes leaves the job in the queue: `worker` then is not this one, and the first write is refused.
 */
export async function takeJob(fleet: Fleet, taker: Taker): Promise<TakenJob | undefined> {
  const passedOver = new Set<string>();
  while (passedOver.size < MOST_PASSED_OVER) {
    try {
      return await fleet.database.transaction((tx) => takeIn(fleet, tx, { taker, passedOver }));
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
      passedOver.add(error.lane);
    }
  }
  return undefined;
}

/** Rolls the transaction back, so that the job stays in the queue. */
class DoesNotFit extends Error {
  readonly lane: string;

  constructor(lane: string) {
    super('The budget of the job does not fit into its pool now.');
    this.lane = lane;
  }
}

interface Taking {
  readonly taker: Taker;
  readonly passedOver: ReadonlySet<string>;
}

async function takeIn(
  fleet: Fleet,
  tx: Queryable,
  { taker, passedOver }: Taking,
): Promise<TakenJob | undefined> {
  const rules = await rulesFor(fleet, tx, taker);
  const { lanes, pools, lost } = rules;
  const blocked = new Set([
    ...blockedLanes(lanes, { ...rules, reach: taker }).map(({ id }) => id),
    ...passedOver,
  ]);
  if (blocked.size === lanes.length) return undefined;
  await putFirst(fleet, tx, lost);
  const [found] = await fleet.boss.fetch(LOOPS, {
    db: statementsOf(tx),
    ignoreGroups: [...blocked],
    includeMetadata: true,
  });
  if (found === undefined) return undefined;
  const lane = lanes.find(({ id }) => id === found.groupId);
  const { id, retryCount, retryLimit } = found;
  const { own, lost: unknown, ...row } = await holdJob(tx, id, taker);
  const grant = await reserve(tx, { id, lane, pools: withoutOwn(pools, own), request: row.request });
  return { ...row, id, attempt: { id, retryCount }, retryLimit, grant: grantWithout(grant, unknown) };
}

/** The rules of now, in which jobs of silent workers run no more, and calls that nobody waits for are charged. Those of this worker were not silent: the server was away. */
async function rulesFor(fleet: Fleet, tx: Queryable, { id }: Taker): Promise<QueueRules> {
  const rules = await readRulesAfter(tx, `SELECT pg_advisory_xact_lock(${LOCK}), ${WITHOUT_WAITING}`);
  const silent = rules.silent.filter(({ worker }) => worker !== id);
  await endSilence(fleet, tx, silent);
  const { abandoned } = silent.length === 0 ? rules : await readRules(tx);
  for (const job of abandoned) await chargeAbandoned(tx, job);
  return silent.length === 0 && abandoned.length === 0 ? rules : await readRules(tx);
}

interface HeldRow extends Omit<TakenJob, 'id' | 'attempt' | 'retryLimit' | 'grant'> {
  readonly own: OwnPart;
  /** Charged for replies that never came, which the loop knows nothing of. */
  readonly lost: Amount;
}

async function holdJob(tx: Queryable, id: string, { id: worker, name }: Taker): Promise<HeldRow> {
  const [row] = await tx.query<HeldRow>(
    `UPDATE ralph.job j SET fence = fence + 1, machines = array_append(array_remove(machines, $3), $3), worker = $2,
       started_at = coalesce(started_at, now())
     FROM ralph.lane l WHERE j.id = $1 AND l.id = j.lane
     RETURNING j.fence, cardinality(j.machines) AS machines, j.worker, l.repository, l.organisation, j.address, j.ref, j.task, j.request, j.loop_id AS "loopId", j.base,
       ${OWN_PART} AS own, json_build_object('usd', j.lost_usd, 'tokens', j.lost_tokens) AS lost`,
    [id, worker, name],
  );
  return row!;
}

async function reserve(
  tx: Queryable,
  job: {
    readonly id: string;
    readonly lane: Lane | undefined;
    readonly pools: readonly Pool[];
    readonly request: StoredRequest;
  },
): Promise<Grant> {
  const { id, lane, pools, request } = job;
  const own = { costUsd: request.config.maxCost, tokens: request.config.maxTokens };
  const applying =
    lane === undefined ? [] : poolsFor({ config: request.config, pools: poolsOf(lane, pools) });
  if (applying.length === 0) return own;
  const grant = grantFor(applying, own);
  if (grant === undefined) throw new DoesNotFit(lane!.id);
  await tx.query('UPDATE ralph.job SET reserved_usd = $2, reserved_tokens = $3 WHERE id = $1', [
    id,
    grant.costUsd ?? 0,
    grant.tokens ?? 0,
  ]);
  return grant;
}
