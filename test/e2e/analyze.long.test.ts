import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

/** A different wrong change in every attempt. */
const WRONG = 'sed -i "s/return a .*/return a * b + $RALPH_ITERATION;/" src/add.js';

async function analysisOf(root: string, ...args: string[]): Promise<Analysis> {
  const { exitCode, stdout, stderr } = await ralph(root, ['analyze', '--format', 'json', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const checked = validate('analysis', JSON.parse(stdout));
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
}

describe('ralph analyze', () => {
  let root: string;
  const ids: string[] = [];

  beforeAll(async () => {
    root = repositoryWith(NODE_TEST_FILES);
    const command = ['--command', WRONG, '--max-iterations', '3'];
    for (const args of [[...command, '--no-memory'], command, ['--actor', 'search']])
      ids.push((await ralphRun(root, args)).verdict.loop_id!);
  }, 120_000);

  it('reports rewards, results, failures and memory of every loop', async () => {
    const analysis = await analysisOf(root);
    expect(analysis.loops.map(({ loop_id, memory, passed }) => [loop_id, memory, passed])).toEqual([
      [ids[0], false, false],
      [ids[1], true, false],
      [ids[2], true, true],
    ]);
    expect(analysis.loops[2]!.rewards.at(-1)).toBe(1);
    expect(analysis.loops[2]!.tried).toBeGreaterThan(0);
    expect(analysis.success).toMatchObject({ part: 1, n: 3, too_few: true });
    expect(analysis.errors.fixed).toBeGreaterThan(0);
    expect(analysis.calibration.n).toBeGreaterThan(0);
    expect(analysis.categories.length).toBeGreaterThan(0);
    expect(analysis.memory).toMatchObject({
      with: { success: { n: 2 } },
      without: { success: { n: 1 } },
      too_few: true,
    });
    expect(analysis.familiar.with.success.n).toBe(2);
    expect(analysis.left_out).toEqual([]);
  });

  it('analyzes only the named loop', async () => {
    const { loop_id, loops, attempts } = await analysisOf(root, ids[0]!);
    expect([loop_id, loops.length, attempts]).toEqual([ids[0], 1, 3]);
  });

  it('prints plain text of at most 80 columns to a pipe, and blocks and colour with FORCE_COLOR', async () => {
    const { exitCode, stdout } = await ralph(root, ['analyze']);
    expect(exitCode).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
    expect(stdout).toContain('too few');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toMatch(/[▁-█]/);
    const coloured = await ralph(root, ['analyze'], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\u001b[1m');
    expect(coloured.stdout).toMatch(/[▁-█]/);
    const plain = await ralph(root, ['analyze'], { env: { NO_COLOR: '1' } });
    expect(plain.stdout).toBe(stdout);
  });

  it('refuses malformed and unknown loop ids with a remedy', async () => {
    const bad = await ralph(root, ['analyze', '../x']);
    expect([bad.exitCode, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('is not a loop id');
    const unknown = await ralph(root, ['analyze', `${ids[0]!.slice(0, -1)}0x`]);
    expect([unknown.exitCode, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain(ids[0]);
  });

  it('skips damaged files and names them', async () => {
    const damaged = repositoryWith(NODE_TEST_FILES);
    const { verdict } = await ralphRun(damaged, ['--command', WRONG, '--max-iterations', '2']);
    const folder = join(damaged, '.aiwg/ralph/loops', verdict.loop_id!);
    writeFileSync(join(folder, 'attempts/001/evaluation.json'), '{"passed": tr');
    writeFileSync(join(damaged, verdict.reflections[0]!), 'x'.repeat(1000));
    const analysis = await analysisOf(damaged);
    expect(analysis.left_out.map(({ path }) => path).sort()).toEqual([
      `.aiwg/ralph/loops/${verdict.loop_id}/attempts/001/evaluation.json`,
      verdict.reflections[0],
    ]);
    expect(analysis.attempts).toBe(1);
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json')))
      writeFileSync(join(folder, name), '\0');
    const { left_out: leftOut } = await analysisOf(damaged);
    expect(leftOut.length).toBeGreaterThan(2);
    // Each problem continues a sentence with the file as its subject.
    for (const { problem } of leftOut) expect(problem).toMatch(/^(is|has|cannot) /);
  });

  it('says that no loop has run yet', async () => {
    const fresh = repositoryWith(NODE_TEST_FILES);
    expect((await ralph(fresh, ['analyze'])).stdout).toBe('Loops\n  No loop has run here yet.\n');
    expect((await analysisOf(fresh)).loops).toEqual([]);
  });
});
