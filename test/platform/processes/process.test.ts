import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesWith } from '../../../src/platform/processes/process-tree.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';

const request = { cwd: tmpdir(), env: { PATH: process.env['PATH'] } };

describe('runProcess', () => {
  it('gives what a program printed and how it ended', async () => {
    const outcome = await runProcess({
      ...request,
      shell: 'cat; echo out; echo err >&2; exit 3',
      input: 'in\n',
    });
    expect(outcome).toMatchObject({ exitCode: 3, signal: null, stdout: 'in\nout\n', stderr: 'err\n' });
    expect(outcome.failure).toBeUndefined();
  });

  it('tells a program that is not there, a folder that is not there, and an argument that cannot be given', async () => {
    const missing = await runProcess({ ...request, file: 'no-such-program-here' });
    expect(missing).toMatchObject({ exitCode: null, failure: expect.stringContaining('ENOENT') as string });
    const nowhere = await runProcess({ ...request, cwd: join(tmpdir(), 'no-such-folder'), file: 'true' });
    expect(nowhere.failure).toContain('ENOENT');
    const spoiled = await runProcess({ ...request, file: 'true', args: ['a\0b'] });
    expect(spoiled.failure).toContain('null bytes');
  });

  it('gives input to a program that does not read it', async () => {
    const outcome = await runProcess({ ...request, file: 'true', input: 'x'.repeat(1_000_000) });
    expect(outcome.exitCode).toBe(0);
  });

  it('ends with its time-out, and with the signal that ended it', async () => {
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

  it('leaves no child behind, and no timer that would keep ralph from ending', async () => {
    const outcome = await runProcess({ ...request, shell: 'sleep 60 & echo $!' });
    expect(stateOf(outcome.stdout.trim())).toMatch(/^(gone|Z)$/);
    await runProcess({ ...request, file: 'true' });
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toEqual(timers);
  });
});

/** By /proc: a killed process that nobody has asked after yet is a Z. */
function stateOf(pid: string): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))![1]!;
  } catch {
    return 'gone';
  }
}

/** What the test runner has. */
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');

describe('processesWith', () => {
  it('finds a tag behind an environment that is larger than its buffer', async () => {
    const tag = `tag-${process.pid}-${performance.now()}`;
    const env = { PATH: process.env['PATH'], FIRST: 'x'.repeat(100_000), RALPH_PROCESS_TAG: tag };
    const child = spawn('sleep', ['60'], { env });
    await new Promise((resolve) => child.once('spawn', resolve));
    try {
      expect(processesWith(tag)).toEqual([child.pid]);
      expect(processesWith(`${tag}-other`)).toEqual([]);
    } finally {
      child.kill();
    }
  });
});
