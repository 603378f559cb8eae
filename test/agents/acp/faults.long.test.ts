import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { isAlive, readReport, runAgent, runCommandLine, SUM, workspace } from '../../support/acp/attempt.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const sumIn = (root: string): string => readFileSync(join(root, 'src/sum.js'), 'utf8');
const containing = (text: string): string => expect.stringContaining(text) as string;

describe('an agent that cannot be used ends the loop', () => {
  it('if it exits at once, with its stderr', async () => {
    const run = await runAgent('rude-agent', 'dead-at-start');
    expect(run.trajectory).toMatchObject({
      outcome: 'failed',
      fatal: { message: containing('no configuration found'), hint: containing('Agent Client Protocol') },
    });
    expect(run.trajectory.fatal?.message).toContain('exit code 1');
    expect(run.survivors).toEqual([]);
  });

  it('if it never answers, and is killed with its children', async () => {
    const run = await runAgent('rude-agent', 'mute', { silenceMs: 1500 });
    expect(run.trajectory).toMatchObject({
      outcome: 'timed_out',
      fatal: { message: containing('did not answer') },
    });
    expect(run.report.filter(({ stray }) => stray !== undefined)).toHaveLength(1);
    expect(run.survivors).toEqual([]);
  });

  it('if it never opens a session', async () => {
    const run = await runAgent('rude-agent', 'greets-only', { silenceMs: 1500 });
    expect(run.trajectory.fatal?.message).toContain('did not answer the request for a session');
    expect(run.survivors).toEqual([]);
  });

  it('if it prints no messages, with its first lines', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const run = await runAgent('rude-agent', 'garbage', { silenceMs: 1500 });
    expect(run.trajectory.fatal?.message).toContain('usage: agent [options]');
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(run.survivors).toEqual([]);
  });

  it('if it prints an endless line, in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const run = await runAgent('rude-agent', 'one-endless-line', { silenceMs: 1500 });
    expect(run.trajectory.fatal?.message).toContain('did not answer');
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(run.survivors).toEqual([]);
  });

  it('if a child holds its output open after its exit', async () => {
    const run = await runAgent('rude-agent', 'held-output');
    expect(run.trajectory.fatal?.message).toContain('exit code 4');
    expect(run.survivors).toEqual([]);
  });

  it('if it echoes its input', async () => {
    const run = await runAgent('rude-agent', 'echo', { silenceMs: 3000 });
    expect(run.trajectory.fatal).toBeDefined();
    expect(run.survivors).toEqual([]);
  });

  it('with an error if the program does not exist', async () => {
    await expect(runCommandLine('no-such-agent-here --acp')).rejects.toMatchObject({
      code: 'actor_failed',
      exitCode: 5,
      message: containing('no-such-agent-here'),
    });
  });
});

describe('an agent that does not finish', () => {
  it('fails with its last message and stderr if it is killed, and its edits stay', async () => {
    const run = await runAgent('agent', 'dies');
    expect(run.trajectory).toMatchObject({ outcome: 'failed', message: containing('exit code 137') });
    expect(run.trajectory.message).toContain('out of luck');
    expect(run.trajectory.message).toContain('I begin.');
    expect(run.trajectory.fatal).toBeUndefined();
    expect(sumIn(run.root)).toBe('half an edit\n');
    expect(run.report.filter(({ stray }) => stray !== undefined)).toHaveLength(1);
    expect(run.survivors).toEqual([]);
  });

  it('is stopped if it is silent', async () => {
    const run = await runAgent('agent', 'silent', { silenceMs: 1500 });
    expect(run.trajectory).toMatchObject({ outcome: 'timed_out', message: containing('sent nothing') });
    expect(run.trajectory.fatal).toBeUndefined();
    expect(run.survivors).toEqual([]);
  });

  it('is stopped at the time limit if it writes without end; the record is bounded', async () => {
    const before = retainedHeap();
    const run = await runAgent('agent', 'chatter', { timeoutMs: 4000, silenceMs: 2000 });
    expect(run.trajectory).toMatchObject({
      outcome: 'timed_out',
      message: containing('not finished after 4 s'),
    });
    expect(run.trajectory.actions).toHaveLength(2000);
    expect(run.trajectory.rationale).toContain('more actions not listed');
    expect(retainedHeap() - before).toBeLessThan(40 * 1024 * 1024);
    expect(run.survivors).toEqual([]);
  });

  it('is stopped if it sends requests without end and reads nothing', async () => {
    const before = process.memoryUsage().rss;
    const root = workspace();
    const args = [join(root, 'package.json')];
    const run = await runAgent('rude-agent', 'endless-questions', { root, args, silenceMs: 1500 });
    expect(run.trajectory.outcome).toBe('timed_out');
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(run.survivors).toEqual([]);
  });

  it('continues after a message that is too long, with a warning', async () => {
    const run = await runAgent('agent', 'huge');
    expect(run.trajectory).toMatchObject({ outcome: 'claimed_done', message: 'Still here.' });
    expect(run.events.filter(({ type }) => type === 'warning')).toHaveLength(1);
    expect(sumIn(run.root)).toBe('after the huge one\n');
  });
});

describe('the end of an attempt', () => {
  it('is announced to the agent, which may end by itself', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 1000);
    const run = await runAgent('agent', 'cancel-obeyed', { signal: abort.signal });
    expect(run.trajectory).toMatchObject({ outcome: 'timed_out', message: containing('out of time') });
    expect(run.report).toContainEqual({ cancelled: true });
    expect(run.survivors).toEqual([]);
  });

  it('kills an agent that ignores it, with its detached children', async () => {
    const abort = new AbortController();
    let alive = false;
    setTimeout(() => abort.abort(), 1500);
    const reportFile = join(temporaryFolder(), 'report.jsonl');
    abort.signal.addEventListener('abort', () => {
      alive = readReport(reportFile).some(({ stray }) => isAlive(stray as number));
    });
    const run = await runAgent('agent', 'cancel-ignored', { reportFile, signal: abort.signal });
    expect(run.report).toContainEqual({ terminated: true });
    expect(alive).toBe(true);
    expect(run.survivors).toEqual([]);
    expect(sumIn(run.root)).toBe(SUM);
  });

  it('is immediate if the loop was ended before', async () => {
    const run = await runAgent('agent', 'edit-itself', { signal: AbortSignal.abort() });
    expect(run.trajectory.outcome).toBe('timed_out');
    expect(run.survivors).toEqual([]);
  });
});

/** Heap bytes after a garbage collection. */
function retainedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
