import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { processesWith } from '../../../src/platform/processes/process-tree.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const request = { cwd: tmpdir(), env: { PATH: process.env['PATH'] } };

describe('runProcess', () => {
  it('returns output, exit code and duration of a program', async () => {
    const outcome = await runProcess({
      ...request,
      shell: 'cat; echo out; echo err >&2; exit 3',
      input: 'in\n',
    });
    expect(outcome).toMatchObject({ exitCode: 3, signal: null, stdout: 'in\nout\n', stderr: 'err\n' });
    expect(outcome.failure).toBeUndefined();
  });

  it('reports a missing program, a missing folder and an argument with a NUL as failures', async () => {
    const missing = await runProcess({ ...request, file: 'no-such-program-here' });
    expect(missing).toMatchObject({ exitCode: null, failure: expect.stringContaining('ENOENT') as string });
    const nowhere = await runProcess({ ...request, cwd: join(tmpdir(), 'no-such-folder'), file: 'true' });
    expect(nowhere.failure).toContain('ENOENT');
    const spoiled = await runProcess({ ...request, file: 'true', args: ['a\0b'] });
    expect(spoiled.failure).toContain('null bytes');
  });

  it('accepts input for a program that does not read it', async () => {
    const outcome = await runProcess({ ...request, file: 'true', input: 'x'.repeat(1_000_000) });
    expect(outcome.exitCode).toBe(0);
  });

  it('does not end the next program in a folder with the one that ran out of time there', async () => {
    const folder = temporaryFolder();
    const own = { ...request, cwd: folder, ownFolder: folder };
    for (let round = 0; round < 8; round++) {
      expect(
        (
          await runProcess({
            ...own,
            shell: `trap 'sleep 0.0${round}; exit' TERM; sleep 60 & wait`,
            timeoutMs: 50,
          })
        ).timedOut,
      ).toBe(true);
      expect(await runProcess({ ...own, shell: 'sleep 0.6' })).toMatchObject({ exitCode: 0, signal: null });
    }
  });

  it('ends a program at its time-out, and reports the signal', async () => {
    expect(await runProcess({ ...request, shell: 'sleep 60', timeoutMs: 50 })).toMatchObject({
      timedOut: true,
    });
    expect(await runProcess({ ...request, shell: 'kill -9 $$' })).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
    });
    expect(await runProcess({ ...request, file: 'true', signal: AbortSignal.abort() })).toMatchObject({
      aborted: true,
    });
  });

  it('leaves no child running, and no timer that would keep ralph running', async () => {
    const outcome = await runProcess({ ...request, shell: 'sleep 60 & echo $!' });
    expect(stateOf(outcome.stdout.trim())).toMatch(/^(gone|Z)$/);
    // Other files run in this process before: their timers may end meanwhile, but none may be added.
    const before = activeTimers();
    for (let run = 0; run < 5; run++) await runProcess({ ...request, file: 'true', timeoutMs: 60_000 });
    expect(activeTimers()).toBeLessThanOrEqual(before);
  });
});

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

/** State in /proc; Z is a process that has ended and was not waited for. */
function stateOf(pid: string): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))![1]!;
  } catch {
    return 'gone';
  }
}

describe('a program in a sandbox that does not start', () => {
  /** A sandbox whose first `failures` starts fail, as they do if a hidden folder is removed at that moment. */
  function sandboxFailing(failures: number): { readonly sandbox: Sandbox; readonly starts: () => number } {
    let starts = 0;
    const sandbox: Sandbox = {
      engine: 'bubblewrap',
      allowing: () => sandbox,
      enclose: (call) =>
        Promise.resolve(
          starts++ < failures
            ? { ...call, file: '/bin/sh', args: ['-c', 'echo "bwrap: Can\'t mkdir /gone" >&2; exit 1'] }
            : call,
        ),
      failureIn: ({ stderr }) => (stderr.startsWith('bwrap: ') ? stderr.trim() : undefined),
    };
    return { sandbox, starts: () => starts };
  }

  it('is started again', async () => {
    const { sandbox, starts } = sandboxFailing(2);
    const outcome = await runProcess({ ...request, file: 'echo', args: ['ran'], sandbox });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
    expect(starts()).toBe(3);
  });

  it('is reported if it never starts', async () => {
    const { sandbox, starts } = sandboxFailing(Infinity);
    const outcome = await runProcess({ ...request, file: 'echo', args: ['ran'], sandbox });
    expect(outcome).toMatchObject({ exitCode: null, failure: "bwrap: Can't mkdir /gone" });
    expect(starts()).toBe(3);
  });
});

describe('processesWith', () => {
  it('finds a tag in an environment that is larger than its buffer', async () => {
    const tag = `tag-${process.pid}-${performance.now()}`;
    const env = { PATH: process.env['PATH'], FIRST: 'x'.repeat(100_000), RALPH_PROCESS_TAG: tag };
    const child = execa('sleep', ['60'], { env, extendEnv: false, reject: false });
    await new Promise((resolve) => child.nodeChildProcess.once('spawn', resolve));
    try {
      expect(processesWith(tag)).toEqual([child.pid]);
      expect(processesWith(`${tag}-other`)).toEqual([]);
    } finally {
      child.kill();
    }
  });
});
