import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/fleet/database/database.ts';
import { readPools } from '../../src/fleet/queue/budget-pools.ts';
import { cancelJob, setPool } from '../../src/fleet/queue/control.ts';
import type { JobRequest } from '../../src/fleet/queue/job-request.ts';
import { openFleet, type Fleet } from '../../src/fleet/queue/open-fleet.ts';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import { findJob } from '../../src/fleet/queue/read-jobs.ts';
import { retryJob } from '../../src/fleet/queue/retry.ts';
import { completeJob, failJob, releaseJob } from '../../src/fleet/queue/settle.ts';
import { chargeJob } from '../../src/fleet/queue/charge.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import { takeJob, type TakenJob } from '../../src/fleet/queue/take.ts';
import { hasPostgres, remoteWith, startWorker, testServer, type TestWorker } from '../support/fleet.ts';
import { KEYS, modelFlags, QUICK_CART_FILES, SESSION } from '../support/model-run.ts';
import { ralph } from '../support/ralph.ts';
import { temporaryFolder } from '../support/repositories.ts';
import { startWireServer, type WireServer } from '../support/wire/index.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const TOKENS_OF_A_CALL = 110;
/** Replies before the one that does not come the first time. */
const ANSWERED = 3;

describe.skipIf(!hasPostgres)('the budget of a fleet', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  const openWith = async (tokens: number): Promise<{ address: string; fleet: Fleet }> => {
    const address = await server.freshDatabase();
    const fleet = await openFleet({ env: {}, url: address });
    closing.push(() => fleet.close());
    await setPool(fleet, { kind: 'all', name: '', tokens });
    return { address, fleet };
  };
  const poolOf = async ({ database }: Pick<Fleet, 'database'>): Promise<readonly [number, number]> => {
    const [pool] = await readPools(database);
    return [pool!.spent_tokens, pool!.reserved_tokens];
  };

  describe('is charged with what a model has answered', () => {
    /** A model that is silent at its fourth call, until it is asked again. */
    const startModel = async (): Promise<WireServer> => {
      const model = await startWireServer(({ json }, number) => {
        const messages = json['messages'] as readonly { readonly role: string }[];
        const reply = SESSION[messages.filter(({ role }) => role === 'assistant').length]!;
        const delayMs = number === ANSWERED ? 600_000 : 0;
        return { ...reply, delayMs, usage: { input: 100, output: 10 } };
      });
      closing.push(() => model.close());
      return model;
    };
    const start = async (): Promise<{
      fleet: Fleet;
      id: string;
      work: (...args: string[]) => TestWorker;
    }> => {
      const { address, fleet } = await openWith(1_000_000);
      const model = await startModel();
      const [flag, name, ...place] = modelFlags(model);
      const task = ['make the tests pass', '--no-acceptance-tests', '--reflector', 'rules'];
      const args = ['submit', remoteWith(QUICK_CART_FILES), ...task, flag!, name!, '--format', 'json'];
      const { stdout } = await ralph(temporaryFolder(), args, { env: { DATABASE_URL: address } });
      const work = (...more: string[]): TestWorker => {
        const worker = startWorker(address, ['--heartbeat', '10s', ...place, ...more], KEYS);
        closing.push(() => worker.process.kill('SIGKILL'));
        return worker;
      };
      return { fleet, id: (JSON.parse(stdout) as { id: string }).id, work };
    };
    /** The fourth call runs. */
    const isAsking = async (fleet: Fleet): Promise<boolean> => {
      const [job] = await fleet.database.query(
        `SELECT 1 FROM ralph.job WHERE asked_tokens > 0 AND tokens = ${ANSWERED * TOKENS_OF_A_CALL}`,
      );
      return job !== undefined;
    };
    /** What is charged for the call whose reply never came: more than it would have cost. */
    const lostOf = async ({ database }: Fleet): Promise<number> => {
      const [job] = await database.query<{ lost: number }>(
        'SELECT lost_tokens::int AS lost FROM ralph.job WHERE asked_tokens = 0',
      );
      expect(job?.lost).toBeGreaterThan(TOKENS_OF_A_CALL);
      return job!.lost;
    };
    const finish = async (fleet: Fleet, id: string, work: (...args: string[]) => TestWorker) => {
      expect(await retryJob(fleet, id)).toBe(true);
      await work('--once').process;
      const [job] = await fleet.database.query('SELECT ended, tokens::int FROM ralph.job');
      const all = SESSION.length * TOKENS_OF_A_CALL + (await lostOf(fleet));
      expect(job).toEqual({ ended: 'verified', tokens: all });
      expect(await poolOf(fleet)).toEqual([all, 0]);
    };

    it('when the job is cancelled, and not again when it is continued', async () => {
      const { fleet, id, work } = await start();
      const worker = work();
      await until(() => isAsking(fleet));
      expect(await cancelJob(fleet, id)).toBe(true);
      const charged = ANSWERED * TOKENS_OF_A_CALL + (await lostOf(fleet));
      expect(await poolOf(fleet)).toEqual([charged, 0]);
      await worker.printed('lost');
      expect(await poolOf(fleet)).toEqual([charged, 0]);
      worker.process.kill('SIGTERM');
      await worker.process;
      await finish(fleet, id, work);
    });

    it('when its last machine is lost, and not again when it is continued', async () => {
      const { fleet, id, work } = await start();
      const first = work();
      await until(() => isAsking(fleet));
      await fleet.database.query("UPDATE pgboss.job SET retry_limit = retry_count WHERE name = 'loops'");
      first.process.kill('SIGKILL');
      await first.process;
      const second = work();
      await until(async () => (await stateOf(fleet.database, id)) === 'failed');
      // The next look for a job finds it.
      await until(async () => (await poolOf(fleet))[0] > ANSWERED * TOKENS_OF_A_CALL);
      expect(await poolOf(fleet)).toEqual([ANSWERED * TOKENS_OF_A_CALL + (await lostOf(fleet)), 0]);
      second.process.kill('SIGTERM');
      await second.process;
      await finish(fleet, id, work);
    });
  });

  it('is charged with a reply that is longer than it may be, after which no model is asked and no job is taken', async () => {
    const { address, fleet } = await openWith(6000);
    const model = await startWireServer(() => ({ ...SESSION[0]!, usage: { input: 100, output: 9000 } }));
    closing.push(() => model.close());
    const [flag, name, ...place] = modelFlags(model);
    const task = [
      'make the tests pass',
      '--no-acceptance-tests',
      '--reflector',
      'rules',
      '--max-tokens',
      '5000',
    ];
    const env = { DATABASE_URL: address };
    const submit = (key: string) =>
      ralph(
        temporaryFolder(),
        ['submit', remoteWith(QUICK_CART_FILES), ...task, flag!, name!, '--key', key],
        { env },
      );
    await submit('first');
    await submit('second');
    await startWorker(address, ['--drain', ...place], KEYS).process;
    expect(model.requests).toHaveLength(1);
    expect(await poolOf(fleet)).toEqual([9100, 0]);
    expect((await findJob(fleet.database, 'first')).reason).toMatch(
      /token budget is (?:5000 \(--max-tokens\), 9100 are used|spent: 9100 of 5000)/,
    );
    expect(await findJob(fleet.database, 'second')).toMatchObject({
      state: 'queued',
      waits_for: 'The budget of the fleet is spent. See it: ralph queue budget',
    });
  });

  describe('is not decided on by the file of a repository', () => {
    const MODEL = 'openai-compatible/wire-model';
    const PROVIDER = [
      '--no-acceptance-tests',
      '--reflector',
      'rules',
      '--actor',
      'react',
      '--proof-time',
      '0s',
    ];
    /** Runs a job of a repository with these settings; `pool` is of the whole fleet or of the model. */
    const run = async (
      settings: object,
      pool: Parameters<typeof setPool>[1],
      { job = [], worker = [] }: { readonly job?: readonly string[]; readonly worker?: readonly string[] },
    ) => {
      const { address, fleet } = await openWith(1_000_000);
      await setPool(fleet, pool);
      const model = await startWireServer(({ json }) => {
        const messages = json['messages'] as readonly { readonly role: string }[];
        const reply = SESSION[messages.filter(({ role }) => role === 'assistant').length]!;
        return { ...reply, usage: { input: 100, output: 10 } };
      });
      closing.push(() => model.close());
      const [, , ...place] = modelFlags(model);
      const config = { checks: { tests: 'sh check.sh' }, ...settings };
      const remote = remoteWith({ ...QUICK_CART_FILES, 'ralph.config.json': config });
      await ralph(temporaryFolder(), ['submit', remote, 'fix it', '--key', 'job', ...PROVIDER, ...job], {
        env: { DATABASE_URL: address },
      });
      await startWorker(address, ['--drain', ...place, ...worker], KEYS).process;
      const { state, reason } = await findJob(fleet.database, 'job');
      const spent = (await readPools(fleet.database)).find(({ kind }) => kind === pool.kind)!.spent_usd;
      return { end: `${state}: ${reason}`, spent, calls: model.requests.length };
    };
    const dollars = { kind: 'all', name: '', costUsd: 5 } as const;
    const free = { prices: { [MODEL]: { input: 0, output: 0 } } };

    it('which says that a model is free', async () => {
      const job = ['--model', MODEL];
      expect(await run(free, dollars, { job })).toMatchObject({
        ...{ spent: 0, calls: 0 },
        end: expect.stringMatching(
          /^failed: .*ralph worker --price openai-compatible\/wire-model=1,4/,
        ) as string,
      });
      const priced = await run(free, dollars, { job, worker: ['--price', `${MODEL}=100,1000`] });
      expect(priced).toMatchObject({ calls: 6, end: expect.stringContaining('verified') as string });
      expect(priced.spent).toBeCloseTo((6 * (100 * 100 + 10 * 1000)) / 1e6);
    });

    it('which names another model than the job', async () => {
      const named = await run({ model: MODEL }, { kind: 'model', name: MODEL, tokens: 9e6 }, {});
      expect(named).toMatchObject({
        ...{ calls: 0 },
        end: expect.stringContaining(`names the model ${MODEL}`) as string,
      });
      const uncounted = await run({ model: MODEL }, { kind: 'model', name: 'openai/gpt-5', tokens: 9e6 }, {});
      expect(uncounted).toMatchObject({ calls: 6, end: expect.stringContaining('verified') as string });
    });
  });

  const taker = { id: randomUUID(), name: 'one', labels: [], repositories: [] };
  const take = async (fleet: Fleet): Promise<TakenJob> => (await takeJob(fleet, taker))!;
  const usage = (tokens: number) => ({
    ...{ input_tokens: tokens, output_tokens: 0, cached_input_tokens: 0, cost_usd: null },
  });
  const spend = ({ database }: Fleet, { id }: TakenJob, tokens: number): Promise<void> =>
    database.transaction((tx) => chargeJob(tx, id, { usd: 0, tokens }));

  it('keeps what is promised to a job that is put back, and gives it the rest of it', async () => {
    const { fleet } = await openWith(1000);
    await submitJobs(fleet, [request(2, 800), request(1, 600)]);
    const first = await take(fleet);
    await spend(fleet, first, 300);
    await releaseJob(fleet, first, { delay: { seconds: 60, reason: 'The host is away.' } });
    expect(await poolOf(fleet)).toEqual([300, 500]);
    expect(await takeJob(fleet, taker)).toBeUndefined();
    await fleet.database.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'loops'");
    const again = await take(fleet);
    expect(again).toMatchObject({ id: first.id, grant: { tokens: 800 } });
    expect(await poolOf(fleet)).toEqual([300, 500]);
    await completeJob(fleet, again, { ended: 'unverified', reason: 'Still red.', usage: usage(500) });
    expect(await poolOf(fleet)).toEqual([500, 0]);
    expect((await take(fleet)).grant.tokens).toBe(500);
  });

  it('is charged with each loop of a job that is begun again', async () => {
    const { fleet } = await openWith(1000);
    await submitJobs(fleet, [request(1, 400)]);
    const first = await take(fleet);
    await spend(fleet, first, 300);
    await completeJob(fleet, first, { ended: 'failed', reason: 'No such model.' });
    expect(await retryJob(fleet, first.id)).toBe(true);
    const second = await take(fleet);
    expect(await poolOf(fleet)).toEqual([300, 400]);
    await spend(fleet, second, 100);
    await completeJob(fleet, second, { ended: 'unverified', reason: 'Still red.', usage: usage(100) });
    expect(await poolOf(fleet)).toEqual([400, 0]);
  });

  it('promises nothing to a dead job until it is taken again', async () => {
    const { fleet } = await openWith(1000);
    await submitJobs(fleet, [request(1, 400)]);
    const first = await take(fleet);
    await spend(fleet, first, 100);
    await fleet.database.query("UPDATE pgboss.job SET retry_limit = 0 WHERE name = 'loops'");
    await failJob(fleet, first, 'The disk is full.');
    expect(await poolOf(fleet)).toEqual([100, 0]);
    expect(await retryJob(fleet, first.id)).toBe(true);
    expect(await poolOf(fleet)).toEqual([100, 0]);
    expect((await take(fleet)).grant.tokens).toBe(400);
    expect(await poolOf(fleet)).toEqual([100, 300]);
  });

  it('is charged once by jobs that end at the same time, in every budget that they are of', async () => {
    const { fleet } = await openWith(100_000);
    await setPool(fleet, { kind: 'organisation', name: 'github.com/octo-org', tokens: 100_000 });
    await submitJobs(
      fleet,
      Array.from({ length: 12 }, (_, index) => request(index, 100)),
    );
    const jobs: TakenJob[] = [];
    for (let count = 0; count < 12; count++) jobs.push(await take(fleet));
    const twice = [...jobs, ...jobs].map((job) => spend(fleet, job, 50));
    await Promise.all(twice);
    const pools = await readPools(fleet.database);
    expect(pools.map(({ spent_tokens: spent }) => spent)).toEqual([600, 600]);
  });
});

async function stateOf(database: Database, id: string): Promise<string | undefined> {
  const [row] = await database.query<{ state: string }>(
    "SELECT state::text FROM pgboss.job WHERE name = 'loops' AND id = $1",
    [id],
  );
  return row?.state;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}

/** A job for a branch that is named for its priority. */
function request(priority: number, maxTokens: number): JobRequest {
  return {
    ...{ repository: repositoryOf('https://github.com/octo-org/shop', '/'), ref: `b${priority}`, priority },
    ...{ task: 'a task', proof: { hasTask: false, criteria: [] }, config: { maxTokens } },
    ...{ delivery: 'branch', labels: [] },
  };
}
