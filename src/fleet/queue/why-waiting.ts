import type { Queryable } from '../database/database.ts';
import { NOTHING } from './amount.ts';
import { grantFor, isSpent, OWN_PART, poolsFor, withoutOwn, type OwnPart } from './budget-pools.ts';
import { describeBlock, poolsOf, readRules, type Lane } from './lanes.ts';
import { PULL_REQUEST_LABEL, type StoredRequest } from './job-request.ts';
import { listWorkers } from './workers.ts';

/** A job that no worker has taken yet. */
export interface WaitingJob {
  readonly id: string;
  readonly repository: string;
  readonly ref: string;
  readonly request: StoredRequest;
}

/** One sentence on why a job is not taken now; undefined if it is only behind others, or its worker comes at once. */
export async function whyWaiting(db: Queryable, job: WaitingJob): Promise<string | undefined> {
  const rules = await readRules(db);
  const { lane: id, own } = await placeOf(db, job.id);
  const lane = rules.lanes.find((it) => it.id === id);
  if (lane === undefined) return undefined;
  const block = describeBlock(lane, rules);
  if (block !== undefined) return block;
  const left = withoutOwn(poolsOf(lane, rules.pools), own);
  const spent = left.find(isSpent);
  if (spent !== undefined)
    return `The budget of ${spent.kind === 'all' ? 'the fleet' : `${spent.kind} ${spent.name}`} is spent. See it: ralph queue budget`;
  const { config } = job.request;
  const pools = poolsFor({ config, pools: left });
  if (grantFor(pools, { costUsd: config.maxCost, tokens: config.maxTokens }) === undefined)
    return 'Too little is left for it of the budget of the fleet until running jobs end. See it: ralph queue budget';
  if (await isBranchBusy(db, job)) return 'Another job of the same branch runs.';
  return whyNotTaken(db, lane);
}

interface PlaceOfJob {
  readonly lane: string | undefined;
  readonly own: OwnPart;
}

async function placeOf(db: Queryable, id: string): Promise<PlaceOfJob> {
  const [row] = await db.query<PlaceOfJob>(
    `SELECT j.lane::text AS lane, ${OWN_PART} AS own FROM ralph.job j WHERE j.id = $1`,
    [id],
  );
  return row ?? { lane: undefined, own: { spent: NOTHING, reserved: NOTHING } };
}

async function isBranchBusy(db: Queryable, { repository, ref }: WaitingJob): Promise<boolean> {
  const [row] = await db.query(
    "SELECT 1 FROM pgboss.job WHERE name = 'loops' AND state = 'active' AND singleton_key = $1 LIMIT 1",
    [`${repository}#${ref}`],
  );
  return row !== undefined;
}

async function whyNotTaken(db: Queryable, { labels }: Lane): Promise<string | undefined> {
  const workers = (await listWorkers(db)).filter(({ state }) => state === 'running');
  if (workers.length === 0) return 'No worker runs. Start one: ralph worker';
  const able = workers.filter((worker) => labels.every((label) => worker.labels.includes(label)));
  if (able.length === 0) return `No running worker ${lackOf(labels)}`;
  const isBusy = able.every(({ running, concurrency }) => running >= concurrency);
  return isBusy ? 'Every worker that may take it is busy.' : undefined;
}

/** The label for pull requests comes with a token. */
function lackOf(labels: readonly string[]): string {
  const given = labels.filter((label) => label !== PULL_REQUEST_LABEL);
  const token = given.length < labels.length ? ['GITHUB_TOKEN, to open pull requests with'] : [];
  const lacks = [...token, ...(given.length === 0 ? [] : [`the labels ${given.join(', ')}`])];
  const command = `${token.length > 0 ? 'GITHUB_TOKEN=… ' : ''}ralph worker${given.length === 0 ? '' : ` --labels ${given.join(',')}`}`;
  return `has ${lacks.join(', and ')}. Start one: ${command}`;
}
