import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hideDatabase } from '../../src/fleet/worker/hide-database.ts';
import { hasPostgres, remoteWith, resultBranches, startWorker, testServer } from '../support/fleet.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { ralph } from '../support/ralph.ts';
import { git, HONEST_FIX, QUICK_FILES, temporaryFolder } from '../support/repositories.ts';

describe.skipIf(!hasPostgres)('what a worker starts', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  /** Runs jobs on a worker without a sandbox, whose password is in PGPASSWORD. */
  const work = async (jobs: readonly (readonly string[])[], path = process.env['PATH']!): Promise<string> => {
    const address = await server.freshDatabase();
    const { username, password, port, pathname } = new URL(address);
    const url = `postgres://127.0.0.1:${port}${pathname}`;
    const env = {
      ...{ DATABASE_URL: url, PGUSER: username, PGPASSWORD: password, PGOPTIONS: '-c work_mem=8MB' },
      ...{ PATH: path, KEY_OF_THE_AGENT: 'kept' },
    };
    for (const job of jobs)
      await ralph(temporaryFolder(), ['submit', remoteWith(QUICK_FILES), ...job], { env });
    const worker = startWorker(address, ['--drain', '--sandbox', 'off', '--concurrency', '2'], env);
    await worker.process;
    return worker.output();
  };
  const namesIn = (file: string): string[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => /^\w+(?==)/.exec(line) ?? [])
      .filter((name) => /^PG|DATABASE_URL|^KEY_OF/.test(name))
      .sort();

  it('gets no variable that gives access to the database: commands', async () => {
    const seen = join(temporaryFolder(), 'environment');
    const output = await work(
      // The second job needs a connection of its own after the variables are gone.
      [1, 2].map(() => ['--command', `env >> ${seen}; ${HONEST_FIX}`]),
    );
    expect(output.match(/ended .*verified/g), output).toHaveLength(2);
    expect(existsSync(seen)).toBe(true);
    expect(namesIn(seen)).toEqual(['KEY_OF_THE_AGENT', 'KEY_OF_THE_AGENT']);
  });

  it('gets no variable that gives access to the database: agents, which have the others', async () => {
    const [bin, folder] = [temporaryFolder(), temporaryFolder()];
    const seen = join(folder, 'environment');
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\nenv > ${seen}\nexit 1\n`);
    chmodSync(join(bin, 'claude'), 0o755);
    const worker = work([['--agent', 'claude', '-i', '1']], `${bin}:${process.env['PATH']}`);
    while (!existsSync(seen)) await sleep(100);
    await worker;
    expect(namesIn(seen)).toEqual(['KEY_OF_THE_AGENT']);
  });

  /** A `claude` or `codex` that looks for the address of the database in the environments of all processes. */
  const spy = async (name: string, args: readonly string[]): Promise<{ seen: string; output: string }> => {
    const address = await server.freshDatabase();
    const bin = temporaryFolder();
    const looks = 'cat /proc/[0-9]*/environ 2> /dev/null | tr "\\0" "\\n" | grep ^DATABASE_URL= > seen.txt';
    writeFileSync(join(bin, name), `#!/bin/sh\n${looks}\n${HONEST_FIX}\n`);
    chmodSync(join(bin, name), 0o755);
    const env = { DATABASE_URL: address, PATH: `${bin}:${process.env['PATH']}` };
    const remote = remoteWith(QUICK_FILES);
    await ralph(temporaryFolder(), ['submit', remote, '--agent', name, '-i', '1', '--key', 'job'], { env });
    const worker = startWorker(address, ['--drain', ...args], env);
    await worker.process;
    const [branch] = resultBranches(remote);
    const seen = branch === undefined ? 'It did not run.' : git(remote, 'show', `${branch}:seen.txt`);
    const { stdout } = await ralph(temporaryFolder(), ['queue', 'show', 'job'], { env });
    return { seen, output: `${worker.output()}${stdout}` };
  };

  it.skipIf(!hasBubblewrap)(
    'sees no environment of the worker: agents, unless its flags say so',
    async () => {
      expect(await spy('claude', [])).toMatchObject({ seen: '' });
      expect((await spy('claude', ['--sandbox-agent', 'off'])).seen).toContain('DATABASE_URL=postgres');
    },
  );

  it.skipIf(!hasBubblewrap)('is no agent that cannot be confined, unless its flags say so', async () => {
    const { output } = await spy('codex', []);
    expect(output).toMatch(/codex was not seen to work in a sandbox.*--sandbox-agent off/s);
    expect(output).not.toMatch(/resting/);
    expect((await spy('codex', ['--sandbox-agent', 'on'])).seen).toBe('');
  });
});

it('leaves a worker the variables that it passes on by name, but never the address of the database', () => {
  const env = { DATABASE_URL: 'postgres://h/d', PGHOST: 'h', PGPASSWORD: 'p', PG_TEST: 't', PATH: '/bin' };
  hideDatabase(env, { passEnv: ['PGHOST', 'DATABASE_URL'] });
  expect(env).toEqual({ PGHOST: 'h', PG_TEST: 't', PATH: '/bin' });
});
