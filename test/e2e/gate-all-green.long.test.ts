import { expect, it } from 'vitest';
import { FIXED, gateIn } from '../support/gate.ts';

it('a check asks for all that is red at the start where it is given --all-green, and only then', async () => {
  const { root, run, stop, write } = gateIn();
  await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
  write('src/extra.js', 'export const extra = 1;\n');
  expect((await stop({}, ['--all-green'])).reason).toMatch(/"adds"/);
  expect((await stop()).decision).toBeUndefined();
  await run(['start']);
  expect(await run(['check', '--all-green'])).toMatchObject({ exitCode: 1 });
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  write('src/sums.js', FIXED);
  expect(await run(['check', '--all-green'])).toMatchObject({ exitCode: 0 });
});
