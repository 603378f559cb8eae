import { expect, it } from 'vitest';
import { BROKEN, gateIn } from '../support/gate.ts';

it('a start that is refused replaces no other one', async () => {
  const { root, run, stop, write } = gateIn();
  await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
  await run(['start']);
  write('src/sums.js', BROKEN);
  for (const refused of [
    ['--accept-tests', 'nope.js'],
    ['--accept', 'true', '--again'],
  ])
    expect(await run(['start', ...refused])).toMatchObject({ exitCode: 2 });
  expect((await run(['status'])).stdout.trim().split('\n')).toHaveLength(2);
  const checked = await run(['check']);
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toMatch(/"doubles"/);
  expect((await stop()).reason).toMatch(/"doubles"/);
  // One that is not refused does.
  expect(await run(['start', '--again'])).toMatchObject({ exitCode: 0 });
  expect((await run(['status'])).stdout.trim().split('\n')).toHaveLength(1);
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
});

it('a first start that is refused is none', async () => {
  const { run } = gateIn();
  expect(await run(['start', '--accept', 'true'])).toMatchObject({ exitCode: 2 });
  expect((await run(['status'])).stdout).not.toMatch(/by-hand/);
});
