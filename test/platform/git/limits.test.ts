import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { runGit } from '../../../src/platform/git/git.ts';
import { commandLimits, limitGit } from '../../../src/platform/git/limits.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { userGit } from '../../../src/platform/git/user-git.ts';

const cwd = import.meta.dirname;
/** A command of git that does not end by itself. */
const ENDLESS = ['-c', 'alias.wait=!sleep 100', 'wait'];

describe('limits of a git command', () => {
  test.each([
    ['without a run: ten minutes', {}, undefined, 600_000],
    ['without a run: its own', {}, 5_000, 5_000],
    ['the time that is left', { timeLeftMs: () => 90_000 }, undefined, 90_000],
    ['whole milliseconds', { timeLeftMs: () => 89_999.2 }, undefined, 90_000],
    ['half a minute to save a run whose time is up', { timeLeftMs: () => -5 }, undefined, 30_000],
    ['its own, if shorter', { timeLeftMs: () => 90_000 }, 1_000, 1_000],
    ['half a minute after an abort', { signal: AbortSignal.abort() }, undefined, 30_000],
  ])('are %s', (_, limits, own, timeoutMs) => {
    expect(limitGit(limits, () => commandLimits(own))).toMatchObject({ timeoutMs });
  });
});

describe('a git command that does not end', () => {
  test('is ended by the signal of the run', async () => {
    const stop = new AbortController();
    const running = limitGit({ signal: stop.signal }, () => runGit(ENDLESS, { cwd }));
    setTimeout(() => stop.abort(), 200);
    await expect(running).rejects.toMatchObject({ code: 'aborted', exitCode: 130 });
  });

  test('is ended by its time limit', async () => {
    await expect(runGit(ENDLESS, { cwd, timeoutMs: 200 })).rejects.toMatchObject({ exitCode: 4 });
    const pipe = join(temporaryFolder(), 'pipe');
    execaSync('mkfifo', [pipe]);
    const user = userGit({ cwd, timeoutMs: 200 }, (git) => git.raw(['hash-object', pipe]));
    expect(await user).toMatchObject({ ok: false });
  });

  /** Git starts ssh, here a program with a name of its own, which holds git's outputs open. */
  const withSsh = (seconds: string) => ({ cwd, config: { 'core.sshCommand': `sleep ${seconds} #` } });
  const ARGS = ['ls-remote', 'ssh://host/repository'];
  describe.each([
    ['runGit', (seconds: string, timeoutMs?: number) => runGit(ARGS, { ...withSsh(seconds), timeoutMs })],
    [
      'userGit',
      (seconds: string, timeoutMs?: number) =>
        userGit({ ...withSsh(seconds), ...(timeoutMs === undefined ? {} : { timeoutMs }) }, (git) =>
          git.raw(ARGS),
        ),
    ],
  ])('%s', (name, run) => {
    const isRunning = (seconds: string): boolean =>
      execaSync('pgrep', ['-f', `^sleep ${seconds}$`], { reject: false }).exitCode === 0;
    const [aborted, timedOut] = name === 'runGit' ? ['301', '302'] : ['303', '304'];

    test('ends with all that it has started, by the signal of the run', async () => {
      const stop = new AbortController();
      const running = limitGit({ signal: stop.signal }, () => run(aborted));
      const end = expect(running).rejects.toMatchObject({ code: 'aborted', exitCode: 130 });
      while (!isRunning(aborted)) await sleep(20);
      stop.abort();
      await end;
      while (isRunning(aborted)) await sleep(20);
    });

    test('ends with all that it has started, by its time limit', async () => {
      await Promise.allSettled([run(timedOut, 500)]);
      while (isRunning(timedOut)) await sleep(20);
    });
  });

  test('does not keep a later one, which saves the state, from running', async () => {
    const outcome = limitGit({ signal: AbortSignal.abort() }, () => runGit(['version'], { cwd }));
    expect(await outcome).toMatchObject({ exitCode: 0 });
  });
});

test('a folder that is gone is named, not a missing git', async () => {
  const gone = runGit(['version'], { cwd: '/nonexistent/folder' });
  await expect(gone).rejects.toMatchObject({ message: '/nonexistent/folder does not exist any more.' });
});
