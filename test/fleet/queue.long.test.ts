import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/fleet/database/database.ts';
import { databaseError } from '../../src/fleet/database/database-error.ts';
import type { JobRequest } from '../../src/fleet/queue/job-request.ts';
import { findJob, type JobDetails } from '../../src/fleet/queue/read-jobs.ts';
import { openFleet } from '../../src/fleet/queue/open-fleet.ts';
import { repositoryOf } from '../../src/fleet/queue/repository-id.ts';
import { completeJob, failJob, HoldLost, releaseJob } from '../../src/fleet/queue/settle.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import { takeJob, type TakenJob } from '../../src/fleet/queue/take.ts';
import { pruneJobs } from '../../src/fleet/queue/retention.ts';
import { startServer } from '../../src/serve/server.ts';
import { hasChromium, openChromium } from '../support/chromium.ts';
import { hasPostgres, remoteWith, resultBranches, startWorker, testServer } from '../support/fleet.ts';
import { startJob } from '../support/github/job.ts';
import { ralph } from '../support/ralph.ts';
import { git, HONEST_FIX, NODE_TEST_FILES, QUICK_FILES, temporaryFolder } from '../support/repositories.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.skipIf(!hasPostgres)('the queue of a fleet', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  const open = async (): Promise<{
    address: string;
    database: Database;
    run: (...args: string[]) => ReturnType<typeof ralph>;
  }> => {
    const address = await server.freshDatabase();
    const database = await openDatabase({ url: address });
    closing.push(() => database.close());
    const run = (...args: string[]) => ralph(temporaryFolder(), args, { env: { DATABASE_URL: address } });
    return { address, database, run };
  };
  const states = async (database: Database): Promise<unknown> =>
    (
      await database.query<{ ended: string | null; fence: number }>(
        'SELECT ended, fence FROM ralph.job ORDER BY submitted_at',
      )
    ).map(({ ended, fence }) => ended ?? (fence === 0 ? 'queued' : 'taken'));

  it('runs a sweep over several repositories, none while it is paused, and one at a time of an organisation at its limit', async () => {
    const { address, database, run } = await open();
    const remotes = [remoteWith(QUICK_FILES), remoteWith(QUICK_FILES)];
    const sweep = join(temporaryFolder(), 'sweep.txt');
    writeFileSync(sweep, `# all of them\n${remotes[0]}\n${remotes[1]} main\n`);
    await run('queue', 'pause');
    await run('queue', 'limit', 'organisation', 'local', '1');
    const { stderr } = await run('submit', '--sweep', sweep, '--command', `sleep 2; ${HONEST_FIX}`);
    expect(stderr).toBe('');
    const workers = ['one', 'two'].map((name) => startWorker(address, ['--name', name]));
    for (const { process } of workers) closing.push(() => process.kill('SIGKILL'));
    await Promise.all(workers.map((worker) => worker.printed('started')));
    await sleep(3000);
    expect(await states(database)).toEqual(['queued', 'queued']);
    await run('queue', 'resume');
    let most = 0;
    while (((await states(database)) as string[]).some((state) => state !== 'verified')) {
      const [row] = await database.query<{ running: number }>(
        "SELECT count(*)::int AS running FROM pgboss.job WHERE name = 'loops' AND state = 'active'",
      );
      most = Math.max(most, row!.running);
      await sleep(50);
    }
    expect(most).toBe(1);
    expect(remotes.map((remote) => resultBranches(remote).length)).toEqual([1, 1]);
  });

  it('opens a pull request in the repository of the job, whatever the worker was started in', async () => {
    const address = await server.freshDatabase();
    const job = await startJob();
    const url = 'https://github.com/octo-org/shop.git';
    const config = join(temporaryFolder(), 'gitconfig');
    writeFileSync(config, `[url "${job.bare}"]\n  insteadOf = ${url}\n`);
    const env = {
      DATABASE_URL: address,
      GIT_CONFIG_GLOBAL: config,
      GITHUB_API_URL: job.github.url,
      GITHUB_TOKEN: job.github.token,
      GITHUB_REPOSITORY: 'octo-org/another',
    };
    const task = ['--command', HONEST_FIX, '--deliver', 'pull-request'];
    const submitted = await ralph(temporaryFolder(), ['submit', url, ...task], { env });
    expect(submitted.stderr).toBe('');
    const without = startWorker(address, ['--drain'], { ...env, GITHUB_TOKEN: '' });
    await without.process;
    expect(without.output()).not.toContain('taken');
    job.github.faults.push({ status: 403, path: '/pulls', body: { message: 'Not now' } });
    const worker = startWorker(address, [], env);
    closing.push(() => worker.process.kill('SIGKILL'));
    await worker.printed('ended');
    expect(job.github.pulls, worker.output()).toMatchObject([{ base: 'main', state: 'open' }]);
    expect(resultBranches(job.bare)).toEqual([job.github.pulls[0]!.headBranch]);
    // The second time only the pull request was left to do.
    expect(worker.output()).toMatch(/failed .*GitHub answered 403.*its pull request is left to open/);
    const database = await openDatabase({ url: address });
    closing.push(() => database.close());
    const loops = "SELECT count(*)::int AS loops FROM ralph.event WHERE type = 'loop_started'";
    expect(await database.query(loops)).toEqual([{ loops: 1 }]);
  });

  it('takes a job without a ref and one of the default branch for the same branch', async () => {
    const { database, run } = await open();
    const remote = remoteWith(QUICK_FILES);
    for (const ref of [[], ['--ref', 'main'], ['--ref', 'refs/heads/main'], ['--ref', 'other']])
      await run('submit', remote, ...ref);
    const keys = await database.query<{ key: string }>(
      `SELECT DISTINCT singleton_key AS key FROM pgboss.job WHERE name = 'loops' ORDER BY 1`,
    );
    expect(keys.map(({ key }) => key)).toEqual([`${remote}#main`, `${remote}#other`]);
  });

  it('shows the steps of a loop on another machine while it runs', async () => {
    const { address, run } = await open();
    const remote = remoteWith(NODE_TEST_FILES);
    await run(
      'submit',
      remote,
      'add <script>alert(1)</script>',
      '--command',
      HONEST_FIX,
      '--accept',
      'node --test',
    );
    const page = await startServer({
      ...{ repositoryRoot: temporaryFolder(), port: 0, host: '127.0.0.1', version: '1.2.3' },
      ...{ env: { DATABASE_URL: address }, warn: () => {} },
    });
    closing.push(() => page.close());
    const abort = new AbortController();
    const { body } = await fetch(new URL('/fleet/events', page.url), { signal: abort.signal });
    let text = '';
    const reading = (async () => {
      for await (const bytes of body!) text += Buffer.from(bytes).toString();
    })().catch(() => {});
    await startWorker(address, ['--drain']).process;
    while (!text.includes('ended: ')) await sleep(50);
    abort.abort();
    await reading;
    const steps = [...text.matchAll(/"text":"([^"]+)"/g)].map(([, step]) => step);
    expect(steps).toEqual([
      'started',
      expect.stringMatching(/^baseline: reward 0\.\d{3}$/),
      'attempt 1: act',
      // The affected tests, then everything.
      'attempt 1: evaluate',
      'attempt 1: evaluate',
      'attempt 1: reward 1.000',
      'ended: passed',
    ]);
    expect(text).not.toContain('\n<script>');
  });

  it.skipIf(!hasChromium)(
    'shows a job on the open page when it is queued, and keeps what has the focus',
    async () => {
      const { address, run } = await open();
      const page = await startServer({
        ...{ repositoryRoot: temporaryFolder(), port: 0, host: '127.0.0.1', version: '1.2.3' },
        ...{ env: { DATABASE_URL: address }, warn: () => {} },
      });
      closing.push(() => page.close());
      const browser = await openChromium();
      closing.push(() => browser.close());
      const tab = await browser.newPage();
      await tab.goto(new URL('/fleet', page.url).href, { waitUntil: 'domcontentloaded' });
      await tab.waitForFunction("document.querySelector('[data-connection]').textContent.startsWith('Live')");
      await tab.focus('[aria-label="The newest jobs"]');
      await run('submit', remoteWith(QUICK_FILES), 'tidy <b>everything</b>');
      await tab.waitForFunction(
        "document.querySelector('[data-part=\"The newest jobs\"]').textContent.includes('<b>')",
      );
      expect(await tab.evaluate('document.activeElement.ariaLabel')).toBe('The newest jobs');
    },
  );

  it('removes what an ended job left behind after the time, and keeps its verdict; a later one keeps all', async () => {
    const { address, database, run } = await open();
    const remote = remoteWith(QUICK_FILES);
    for (let count = 0; count < 2; count++) await run('submit', remote, '--command', 'true', '-i', '1');
    await startWorker(address, ['--drain', '--concurrency', '2']).process;
    await database.query(
      `UPDATE ralph.job SET ended_at = now() - interval '31 days' WHERE id = (SELECT id FROM ralph.job LIMIT 1)`,
    );
    const left = () =>
      database.query(
        `SELECT verdict IS NOT NULL AS verdict, EXISTS (SELECT 1 FROM ralph.loop_file f WHERE f.job = j.id) AS files,
           EXISTS (SELECT 1 FROM ralph.event e WHERE e.job = j.id) AS events FROM ralph.job j ORDER BY ended_at`,
      );
    expect(await pruneJobs(database, 30)).toEqual({ emptied: 1, removed: 0 });
    expect(await left()).toEqual([
      { verdict: true, files: false, events: false },
      { verdict: true, files: true, events: true },
    ]);
    expect(await pruneJobs(database, 30)).toEqual({ emptied: 0, removed: 0 });
    expect(await pruneJobs(database, 2)).toEqual({ emptied: 0, removed: 1 });
  });

  it('gives a job that its machine lost or released to the next one, before all that wait', async () => {
    const { address, database } = await open();
    const fleet = await openFleet({ env: {}, url: address });
    closing.push(() => fleet.close());
    await submitJobs(fleet, [3, 2, 1].map(request));
    const worker = { id: randomUUID(), name: 'one', labels: [], repositories: [] };
    const take = async (): Promise<TakenJob> => (await takeJob(fleet, worker))!;
    const [first, second] = [await take(), await take()];
    await failJob(fleet, second, 'The disk is full.');
    await database.query(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
    await submitJobs(fleet, [request(9)]);
    const again = await take();
    expect(again).toMatchObject({ ref: 'b2', fence: 2, attempt: { retryCount: 1 } });
    await releaseJob(fleet, first);
    expect(await take()).toMatchObject({ ref: 'b3', fence: 2 });
    expect([(await take()).ref, (await take()).ref]).toEqual(['b9', 'b1']);
    const priorities = await database.query('SELECT ref, priority FROM ralph.job ORDER BY priority');
    expect(priorities).toEqual([1, 2, 3, 9].map((priority) => ({ ref: `b${priority}`, priority })));
  });

  it('continues a job of a silent worker before it takes another one, although nobody has noticed the silence yet', async () => {
    const { address, database } = await open();
    const fleet = await openFleet({ env: {}, url: address });
    closing.push(() => fleet.close());
    const place = { labels: [], repositories: [] };
    const take = (name: string) => takeJob(fleet, { id: randomUUID(), name, ...place });
    await database.query(`INSERT INTO ralph.most (kind, name, most) VALUES ('repository', '*', 1)`);
    await submitJobs(fleet, [request(1)]);
    const begun = (await take('one'))!;
    await submitJobs(fleet, [request(9)]);
    // Its branch, and here its repository, is at its limit as long as its heartbeat is not over.
    expect(await take('two')).toBeUndefined();
    await database.query(
      `UPDATE pgboss.job SET heartbeat_on = now() - interval '11 seconds' WHERE state = 'active'`,
    );
    // A worker that the server was away from does not take its own job from itself.
    expect(await takeJob(fleet, { id: begun.worker, name: 'one', ...place })).toBeUndefined();
    const server = await database.query<{ isOld: boolean }>(
      `SELECT pg_postmaster_start_time() < now() - interval '10 seconds' AS "isOld"`,
    );
    if (!server[0]!.isOld) await sleep(10_000);
    expect(await take('two')).toMatchObject({
      id: begun.id,
      fence: 2,
      machines: 2,
      attempt: { retryCount: 1 },
    });
    await expect(completeJob(fleet, begun, { ended: 'failed', reason: 'Late.' })).rejects.toThrow(HoldLost);
  });

  it.each([
    ['a part of the budget', 2000],
    ['the whole budget', 3000],
  ])(
    'gives a job that its machine lost to the next one, although %s is reserved for it',
    async (_, maxTokens) => {
      const { address, database, run } = await open();
      const fleet = await openFleet({ env: {}, url: address });
      closing.push(() => fleet.close());
      await run('queue', 'budget', 'all', '--max-tokens', '3000');
      await submitJobs(fleet, [{ ...request(1), config: { maxTokens } }]);
      const worker = { id: randomUUID(), name: 'one', labels: [], repositories: [] };
      await failJob(fleet, (await takeJob(fleet, worker))!, 'The machine was lost.');
      const [job] = await database.query<{ id: string }>('SELECT id FROM ralph.job');
      const { waits_for: why } = await findJob(database, job!.id);
      expect(why).toBe('No worker runs. Start one: ralph worker');
      await database.query(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
      expect(await takeJob(fleet, worker)).toMatchObject({ fence: 2, grant: { tokens: maxTokens } });
    },
  );

  it('begins a new loop for a job that did not succeed, at the present commit of its branch', async () => {
    const { address, database, run } = await open();
    const remote = remoteWith(QUICK_FILES);
    await run('submit', remote, '--command', 'true', '-i', '1');
    const work = async (): Promise<unknown> => {
      await startWorker(address, ['--drain']).process;
      return database.query('SELECT id, ended, loop_id, base, fence FROM ralph.job');
    };
    const [first] = (await work()) as [{ id: string; loop_id: string; base: string }];
    expect(first).toMatchObject({ ended: 'unverified', fence: 1 });
    const source = temporaryFolder();
    git(source, 'clone', '--quiet', remote, '.');
    git(source, 'commit', '--quiet', '--allow-empty', '--message', 'later');
    git(source, 'push', '--quiet', 'origin', 'HEAD');
    expect((await run('queue', 'retry', first.id)).stderr).toBe('');
    const [second] = (await work()) as [typeof first];
    expect(second).toMatchObject({ ended: 'unverified', fence: 2 });
    expect(second.base).not.toBe(first.base);
    expect(second.loop_id).not.toBe(first.loop_id);
  });

  it('knows a repository by the last parts of its name, names one that no job has, and keeps the other limit of a budget', async () => {
    const { address, database, run } = await open();
    const fleet = await openFleet({ env: {}, url: address });
    closing.push(() => fleet.close());
    await submitJobs(fleet, [request(1)]);
    const paused = await run('queue', 'pause', '--repository', 'octo-org/shop');
    expect(paused.stdout).toContain('ralph queue resume --repository github.com/octo-org/shop');
    expect(await database.query('SELECT kind, name FROM ralph.pause')).toEqual([
      { kind: 'repository', name: 'github.com/octo-org/shop' },
    ]);
    const unknown = await run('queue', 'limit', 'repository', 'github.com/octo-org/sh', '2');
    expect(unknown.stdout).toContain('No job of repository github.com/octo-org/sh was submitted so far.');
    const partial = await run('queue', 'pause', '--repository', 'octo-org/sh');
    expect(partial).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Give the whole name') as string,
    });
    await run('queue', 'budget', 'all', '--max-cost', '5', '--max-tokens', '9');
    await run('queue', 'budget', 'all', '--max-tokens', 'none');
    const shown = await run('queue', 'budget', 'all');
    expect(shown.stdout.trim()).toBe('all: $0.00 spent and $0.00 reserved of $5.00');
  });

  it('says why a job waits, and of a second submit with its key which job was there', async () => {
    const { run } = await open();
    const [remote, other] = [remoteWith(QUICK_FILES), remoteWith(QUICK_FILES)];
    const why = async (): Promise<string | null> =>
      (JSON.parse((await run('queue', 'show', 'k1', '--format', 'json')).stdout) as JobDetails).waits_for;
    await run('submit', remote, 'the first', '--key', 'k1', '--labels', 'gpu,big', '--max-cost', '5');
    const again = await run('submit', other, 'another', '--key', 'k1');
    expect(again.stdout).toContain(`${remote}  the first  (was there already; its key is k1)`);
    expect(await why()).toBe('No worker runs. Start one: ralph worker');
    await run('queue', 'budget', 'all', '--max-cost', '1');
    await run('queue', 'pause');
    expect(await why()).toBe('The whole queue is paused. End the pause with: ralph queue resume');
    expect((await run('submit', remote, 'x', '--labels', 'a b')).stderr).toContain(
      '--labels "a b" is not a label',
    );
  });

  it('is counted by the query by which KEDA scales workers', async () => {
    const { database, run } = await open();
    await run('submit', remoteWith(QUICK_FILES));
    const file = readFileSync(join(import.meta.dirname, '../../deploy/kubernetes.yaml'), 'utf8');
    const scaled = parseAllDocuments(file).at(-1)!.toJS() as {
      spec: { triggers: { metadata: { query: string } }[] };
    };
    expect(await database.query(scaled.spec.triggers[0]!.metadata.query)).toEqual([{ count: '1' }]);
  });

  it('names a server without a free connection', async () => {
    const { address } = await open();
    const role = await server.role('crowd');
    const url = address.replace(/\/\/[^:]+:[^@]+@/, `//${role}:pw@`);
    await server.administer(`ALTER ROLE ${role} CONNECTION LIMIT 1`);
    const first = await openDatabase({ url, connections: 1 });
    closing.push(() => first.close());
    const refused = await openDatabase({ url }).catch((error: unknown) => databaseError(error, 'place'));
    expect(refused).toMatchObject({
      message: expect.stringMatching(/has no connection left: too many connections/),
    });
  });
});

/** A job for a branch that is named for its priority. */
function request(priority: number): JobRequest {
  return {
    ...{ repository: repositoryOf('https://github.com/octo-org/shop', '/'), ref: `b${priority}`, priority },
    ...{ task: 'a task', proof: { hasTask: false, criteria: [] }, config: {} },
    ...{ delivery: 'branch', labels: [] },
  };
}
