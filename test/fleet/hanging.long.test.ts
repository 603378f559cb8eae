import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa, execaSync } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/fleet/database/database.ts';
import { hasPostgres, remoteWith, resultBranches, startWorker, testServer } from '../support/fleet.ts';
import { PROGRAM, ralph } from '../support/ralph.ts';
import { HONEST_FIX, QUICK_FILES, temporaryFolder } from '../support/repositories.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function isRunning(commandLine: string): boolean {
  return execaSync('pgrep', ['-f', commandLine], { reject: false }).exitCode === 0;
}

/** The port of a server that accepts connections and says nothing. */
async function silentServer(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as { readonly port: number }).port;
}

describe.skipIf(!hasPostgres)('a git server that never answers', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves no git process behind when ralph submit gets %s', async (signal, exitCode) => {
    const url = `http://127.0.0.1:${await silentServer()}/octo/shop`;
    const submit = execa(process.execPath, [PROGRAM, 'submit', url], {
      env: { DATABASE_URL: await server.freshDatabase() },
      reject: false,
    });
    while (!isRunning(`git-remote-http ${url}`)) await sleep(50);
    submit.kill(signal);
    expect((await submit).exitCode).toBe(exitCode);
    while (isRunning(url)) await sleep(50);
  });

  it('leaves no git process behind when its time is over, and the job is queued', async () => {
    const url = `http://127.0.0.1:${await silentServer()}/octo/shop`;
    const submitted = await ralph(temporaryFolder(), ['submit', url], {
      env: { DATABASE_URL: await server.freshDatabase() },
    });
    expect(submitted).toMatchObject({ exitCode: 0, stderr: '' });
    while (isRunning(url)) await sleep(50);
  });

  it('frees the worker of a push when the job is cancelled', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith(QUICK_FILES);
    const ssh = join(temporaryFolder(), 'ssh');
    // Everything but a push is done on this machine.
    writeFileSync(
      ssh,
      '#!/bin/sh\nfor last; do :; done\ncase "$last" in *receive-pack*) exec sleep 555;; esac\neval "$last"\n',
    );
    chmodSync(ssh, 0o755);
    const env = { DATABASE_URL: address, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh' };
    const submit = (url: string, key: string) =>
      ralph(temporaryFolder(), ['submit', url, '--key', key, '--command', HONEST_FIX], { env });
    await submit(`ssh://host${remote}`, 'hanging');
    await submit(remote, 'other');
    const worker = startWorker(address, ['--drain'], env);
    closing.push(() => worker.process.kill('SIGKILL'));
    while (!isRunning('^sleep 555$')) await sleep(50);
    await ralph(temporaryFolder(), ['queue', 'cancel', 'hanging'], { env });
    await worker.process;
    expect(worker.output()).toMatch(/lost .*cancelled/);
    expect(isRunning('^sleep 555$')).toBe(false);
    const database = await openDatabase({ url: address });
    closing.push(() => database.close());
    const ends = await database.query('SELECT key, ended FROM ralph.job ORDER BY key');
    expect(ends).toEqual([
      { key: 'hanging', ended: 'cancelled' },
      { key: 'other', ended: 'verified' },
    ]);
    expect(resultBranches(remote)).toHaveLength(1);
  });
});
