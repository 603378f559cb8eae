import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobDetails } from '../../src/fleet/queue/read-jobs.ts';
import { hasPostgres, remoteWith, resultBranches, startWorker, testServer } from '../support/fleet.ts';
import { QUICK_CART_FILES, KEYS, modelFlags, SESSION } from '../support/model-run.ts';
import { ralph } from '../support/ralph.ts';
import { HONEST_FIX, QUICK_FILES, temporaryFolder } from '../support/repositories.ts';
import { startWireServer, type WireRequest } from '../support/wire/index.ts';

/** The shortest heartbeat; a job of a silent worker goes to another one about two seconds after it. */
const HEARTBEAT = ['--heartbeat', '10s'];

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe.skipIf(!hasPostgres)('a fleet', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  const submit = async (address: string, args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await ralph(temporaryFolder(), ['submit', ...args, '--format', 'json'], {
      env: { DATABASE_URL: address },
    });
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as { id: string }).id;
  };
  const show = async (address: string, id: string): Promise<JobDetails> => {
    const { stdout } = await ralph(temporaryFolder(), ['queue', 'show', id, '--format', 'json'], {
      env: { DATABASE_URL: address },
    });
    return JSON.parse(stdout) as JobDetails;
  };
  const worker = (address: string, args: readonly string[]) => {
    const started = startWorker(address, [...HEARTBEAT, ...args], KEYS);
    closing.push(() => started.process.kill('SIGKILL'));
    return started;
  };

  it('runs a job once for a key, and pushes the verified result to a branch of its own', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const args = [remote, '--key', 'nightly', '--command', HONEST_FIX];
    const id = await submit(address, args);
    expect(await submit(address, args)).toBe(id);
    const { exitCode } = await worker(address, ['--drain']).process;
    expect(exitCode).toBe(0);
    const job = await show(address, id);
    expect(job).toMatchObject({ state: 'verified', reward: 1, delivered: { how: 'branch' } });
    expect(resultBranches(remote)).toEqual([`ralph/${job.loop_id}`]);
    const logs = await ralph(temporaryFolder(), ['queue', 'logs', id, '--format', 'jsonl'], {
      env: { DATABASE_URL: address },
    });
    const types = logs.stdout.split('\n').map((line) => /"type":"(\w+)"/.exec(line)?.[1]);
    expect(types.indexOf('loop_started')).toBeLessThan(types.indexOf('attempt_evaluated'));
    expect(types).toContain('loop_finished');
  });

  it('resumes the loop of a killed worker on another machine, and pays for no stored model reply again', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_CART_FILES);
    const model = await startWireServer((request) => SESSION[repliesIn(request)]!);
    closing.push(() => model.close());
    const task = ['make the tests pass', '--no-acceptance-tests', '--reflector', 'rules'];
    const [flag, name, ...place] = modelFlags(model);
    const id = await submit(address, [remote, ...task, flag!, name!]);
    const first = worker(address, ['--name', 'first', ...place]);
    await until(async () => (await storedReplies(address)) >= 3);
    first.process.kill('SIGKILL');
    await first.process;
    const stored = await storedReplies(address);
    const paid = model.requests.length;

    const { exitCode } = await worker(address, ['--name', 'second', '--once', ...place]).process;
    expect(exitCode).toBe(0);
    const job = await show(address, id);
    expect(job).toMatchObject({ state: 'verified', machines: ['first', 'second'] });
    expect(job.verdict?.attempts).toHaveLength(1);
    // Those that were stored when the worker died are not asked for again.
    expect(model.requests.length - paid).toBe(SESSION.length - stored);
    expect(resultBranches(remote)).toHaveLength(1);
  });

  it('is not drained while the job of a silent worker is left, and is with one that another worker runs', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const id = await submit(address, [remote, '--command', `sleep 3; ${HONEST_FIX}`]);
    const first = worker(address, ['--name', 'first']);
    await first.printed('taken');
    // The first worker is alive: there is nothing to do.
    expect((await worker(address, ['--name', 'other', '--drain']).process).exitCode).toBe(0);
    expect(await show(address, id)).toMatchObject({ state: 'running', machines: ['first'] });
    first.process.kill('SIGKILL');
    await first.process;
    // As a worker has it that was killed a while ago, and is not noticed yet.
    await rows(
      address,
      "UPDATE pgboss.job SET heartbeat_on = now() - interval '9 seconds' WHERE state = 'active'",
    );
    await sleep(1500);
    expect((await worker(address, ['--name', 'second', '--drain']).process).exitCode).toBe(0);
    expect(await show(address, id)).toMatchObject({ state: 'verified', machines: ['first', 'second'] });
  });

  it('refuses the writes of a worker that was stopped past its heartbeat, and delivers once', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const id = await submit(address, [remote, '--command', `sleep 2; ${HONEST_FIX}`]);
    const stale = worker(address, ['--name', 'stale']);
    await stale.printed('taken');
    await sleep(1500);
    stale.process.kill('SIGSTOP');
    const { exitCode } = await worker(address, ['--name', 'fresh', '--once']).process;
    expect(exitCode).toBe(0);
    stale.process.kill('SIGCONT');
    await stale.printed('lost');
    stale.process.kill('SIGTERM');
    await stale.process;
    expect(await show(address, id)).toMatchObject({ state: 'verified', machines: ['stale', 'fresh'] });
    expect(resultBranches(remote)).toHaveLength(1);
    expect(await eventTypes(address)).not.toContain('loop_failed');
  });

  it('puts running jobs back into the queue on SIGTERM, without counting the machine', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const id = await submit(address, [remote, '--command', `echo begun; sleep 3; ${HONEST_FIX}`]);
    const first = worker(address, ['--name', 'first']);
    await until(async () => (await eventTypes(address)).includes('attempt_started'));
    first.process.kill('SIGTERM');
    expect((await first.process).exitCode).toBe(0);
    expect(first.output()).toMatch(/released/);
    expect(await show(address, id)).toMatchObject({ state: 'queued' });
    const journal = await storedJournal(address);
    expect(journal).toContain('"step":"1:act"');
    await worker(address, ['--drain']).process;
    const job = await show(address, id);
    expect(job).toMatchObject({ state: 'verified' });
    expect(job.verdict?.attempts).toHaveLength(1);
    // Continued, and not begun again.
    expect((await storedJournal(address)).startsWith(journal)).toBe(true);
  });

  it('puts a job that no machine can run to the dead letters, with the reason, and retries it on request', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const id = await submit(address, [remote, '--command', HONEST_FIX]);
    renameSync(remote, `${remote}.away`);
    const running = worker(address, ['--name', 'only']);
    await until(async () => (await show(address, id)).state === 'dead');
    expect(await show(address, id)).toMatchObject({ machines: ['only'] });
    expect((await show(address, id)).reason).toMatch(/does not appear to be a git repository/);
    running.process.kill('SIGTERM');
    await running.process;
    const retried = await ralph(temporaryFolder(), ['queue', 'retry', id], {
      env: { DATABASE_URL: address },
    });
    expect(retried.exitCode).toBe(0);
    expect((await show(address, id)).state).toBe('queued');
  });
});

/** Replies of the model that a request contains. */
function repliesIn(request: WireRequest): number {
  const messages = request.json['messages'] as readonly { readonly role: string }[];
  return messages.filter(({ role }) => role === 'assistant').length;
}

async function rows<T>(address: string, text: string): Promise<T[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

async function storedText(address: string, name: string): Promise<string> {
  const found = await rows<{ text: string }>(
    address,
    `SELECT string_agg(convert_from(content, 'UTF8'), '' ORDER BY part) AS text FROM ralph.loop_file
     WHERE path LIKE '%/${name}' GROUP BY path`,
  ).catch(() => []);
  return found[0]?.text ?? '';
}

function storedJournal(address: string): Promise<string> {
  return storedText(address, 'journal.jsonl');
}

/** The first line of the recording is its header. */
async function storedReplies(address: string): Promise<number> {
  const lines = (await storedText(address, 'model-calls.jsonl')).split('\n').filter((line) => line !== '');
  return Math.max(0, lines.length - 1);
}

async function eventTypes(address: string): Promise<string[]> {
  const found = await rows<{ type: string }>(address, 'SELECT type FROM ralph.event ORDER BY id');
  return found.map(({ type }) => type);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}
