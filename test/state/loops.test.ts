import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listLoops, readState, resolveLoopId } from '../../src/state/loops.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-loops-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function addLoop(loopId: string, startedAt: string | null, change: object = {}): void {
  const folder = join(root, '.aiwg/ralph/loops', loopId);
  mkdirSync(folder, { recursive: true });
  if (startedAt === null) return;
  const state = {
    ...{ loop_id: loopId, task: 'Fix', status: 'exhausted', actor: 'search' },
    ...{ started_at: startedAt, updated_at: startedAt, iteration: 1, max_iterations: 5 },
    ...{ reward: 0.5, baseline_reward: 0.5, base_tree: 'a'.repeat(40), options: {} },
    ...change,
  };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
}

describe('listLoops', () => {
  it('is empty if no loop has run', async () => {
    expect(await listLoops(root)).toEqual({ loops: [], damaged: [] });
  });

  it('sorts loops by their start, newest first, not by name', async () => {
    addLoop('ralph-b', '2026-01-02T00:00:00Z');
    addLoop('ralph-a', '2026-01-03T00:00:00Z');
    addLoop('ralph-c', '2026-01-01T23:00:00-05:00');
    const { loops } = await listLoops(root);
    expect(loops.map(({ loop_id }) => loop_id)).toEqual(['ralph-a', 'ralph-c', 'ralph-b']);
  });

  it('lists damaged states apart from the others', async () => {
    addLoop('ralph-good', '2026-01-02T00:00:00Z');
    addLoop('ralph-none', null);
    addLoop('ralph-reward', '2026-01-02T00:00:00Z', { reward: 7 });
    addLoop('ralph-other', '2026-01-02T00:00:00Z', { loop_id: 'ralph-good' });
    addLoop('ralph-half', '2026-01-02T00:00:00Z');
    writeFileSync(join(root, '.aiwg/ralph/loops/ralph-half/state.json'), '{"loop');
    writeFileSync(join(root, '.aiwg/ralph/loops/stray.txt'), '');
    const { loops, damaged } = await listLoops(root);
    expect(loops.map(({ loop_id }) => loop_id)).toEqual(['ralph-good']);
    expect(damaged.map(({ path, problem }) => [path.split('/')[3], problem])).toEqual([
      ['ralph-half', expect.stringContaining('JSON')],
      ['ralph-none', 'no state was saved'],
      ['ralph-other', 'it is the state of ralph-good'],
      ['ralph-reward', expect.stringContaining('/reward')],
    ]);
  });

  it('refuses a loops folder that leads out of the repository', async () => {
    symlinkSync(tmpdir(), join(root, '.aiwg'));
    await expect(listLoops(root)).rejects.toMatchObject({ exitCode: 4 });
  });
});

describe('readState', () => {
  it('distinguishes a state, no state and a damaged one', async () => {
    addLoop('ralph-a', '2026-01-02T00:00:00Z');
    addLoop('ralph-none', null);
    addLoop('ralph-bad', '2026-01-02T00:00:00Z', { status: 'odd' });
    expect(await readState(root, 'ralph-a')).toMatchObject({ loop_id: 'ralph-a' });
    expect(await readState(root, 'ralph-none')).toBeNull();
    await expect(readState(root, 'ralph-bad')).rejects.toMatchObject({ code: 'state_damaged', exitCode: 7 });
    await expect(readState(root, 'ralph-bad')).rejects.toThrow('.aiwg/ralph/loops/ralph-bad/state.json');
  });
});

describe('resolveLoopId', () => {
  it('finds the newest loop if no id is given', async () => {
    addLoop('ralph-new', '2026-02-01T00:00:00Z');
    addLoop('ralph-old', '2026-01-01T00:00:00Z');
    expect(await resolveLoopId(root)).toBe('ralph-new');
    expect(await resolveLoopId(root, 'ralph-old')).toBe('ralph-old');
  });

  it('finds a loop without a state by its id', async () => {
    addLoop('ralph-none', null);
    expect(await resolveLoopId(root, 'ralph-none')).toBe('ralph-none');
    await expect(resolveLoopId(root)).rejects.toMatchObject({
      code: 'unknown_loop',
      hint: 'Did you mean ralph-none?',
    });
  });

  it.each(['..', '../ralph-a', 'ralph-a/../..', '/etc/passwd', 'ralph-a\0', 'ralph-%2e%2e', 'RALPH-A', ''])(
    'refuses %j, which is not a loop id',
    async (given) => {
      addLoop('ralph-a', '2026-01-01T00:00:00Z');
      await expect(resolveLoopId(root, given)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    },
  );

  it('suggests similar ids if there is no such loop', async () => {
    addLoop('ralph-fix-login-20260125-abc123', '2026-01-01T00:00:00Z');
    addLoop('ralph-fix-login-20260126-xyz789', '2026-01-02T00:00:00Z');
    addLoop('ralph-write-documentation-of-it', '2026-01-02T00:00:00Z');
    const hintFor = (given: string): Promise<unknown> =>
      resolveLoopId(root, given).catch((error: unknown) => error);
    expect(await hintFor('ralph-fix-logn-20260125-abc123')).toMatchObject({
      code: 'unknown_loop',
      exitCode: 2,
      hint: 'Did you mean ralph-fix-login-20260125-abc123?',
    });
    expect(await hintFor('ralph-fix-login')).toMatchObject({
      hint: 'Did you mean ralph-fix-login-20260125-abc123 or ralph-fix-login-20260126-xyz789?',
    });
    expect(await hintFor('ralph-0')).toMatchObject({ hint: 'Start one: ralph run "what to do"' });
  });
});
