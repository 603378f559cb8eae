import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ralph, ralphRun } from '../support/ralph.ts';
import { HONEST_FIX, QUICK_FILES, git, repositoryWith } from '../support/repositories.ts';

const JUNK =
  'head -c 3000000 /dev/urandom > "junk-$RALPH_ITERATION.bin"; rm -f "junk-$((RALPH_ITERATION - 1)).bin"';

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

it('clean frees the snapshots of ended loops and the workspace, and says so; --dry-run frees nothing', async () => {
  const root = repositoryWith(QUICK_FILES);
  const snapshots = join(root, '.aiwg/ralph/snapshots.git');
  const { verdict } = await ralphRun(root, ['--command', JUNK, '--max-iterations', '3']);
  expect(verdict).toMatchObject({ status: 'exhausted', iterations: 3 });
  const before = bytesOf(snapshots);
  expect(before).toBeGreaterThan(8_000_000);

  const dry = JSON.parse((await ralph(root, ['clean', '--dry-run', '--format', 'json'])).stdout);
  expect(dry).toMatchObject({ dry_run: true, snapshots: { trees: 2 } });
  expect(bytesOf(snapshots)).toBe(before);
  const { exitCode, stdout } = await ralph(root, ['clean']);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/2 snapshots that nothing needs\n.*workspace[^]*Freed/),
  ]);
  expect(bytesOf(snapshots)).toBeLessThan(before - 5_000_000);
  expect((await ralph(root, ['clean'])).stdout).toBe('There is nothing to remove.\n');

  const resumed = await ralph(root, ['resume', '--max-iterations', '4']);
  expect([resumed.exitCode, resumed.stderr]).toEqual([
    2,
    expect.stringContaining('snapshots of its attempts were removed'),
  ]);
});

it('clean leaves a verified loop that can be undone, and a stopped loop that can be continued', async () => {
  const root = repositoryWith(QUICK_FILES);
  const broken = readFileSync(join(root, 'src/add.js'), 'utf8');
  await ralphRun(root, ['--command', HONEST_FIX]);
  await ralph(root, ['clean']);
  expect((await ralph(root, ['undo'])).exitCode).toBe(0);
  expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toBe(broken);

  const stop = [
    ['attempt 1', (child: { kill: (signal: 'SIGTERM') => unknown }) => child.kill('SIGTERM')],
  ] as const;
  const first = await ralph(root, ['run', '--command', `sleep 1; ${JUNK}`, '--max-iterations', '3'], {
    when: stop,
  });
  expect(first.exitCode).toBe(143);
  await ralph(root, ['clean']);
  const { exitCode } = await ralph(root, ['resume', '--max-iterations', '2']);
  expect(exitCode).toBe(1);
  expect(git(root, 'diff', '--stat')).toBe('');
});

it('a large patch of an attempt that is not the best is not stored', async () => {
  const root = repositoryWith(QUICK_FILES);
  const big = 'head -c 9000000 /dev/urandom > junk.bin';
  const { verdict } = await ralphRun(root, ['--command', big, '--max-iterations', '1']);
  const attempts = join(root, '.aiwg/ralph/loops', String(verdict.loop_id), 'attempts/001');
  expect(existsSync(attempts)).toBe(true);
  expect(readFileSync(join(attempts, 'patch.diff'), 'utf8')).toMatch(/was not stored.*\nFiles: junk\.bin\n$/);
});
