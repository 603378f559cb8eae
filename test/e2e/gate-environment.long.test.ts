import { describe, expect, it } from 'vitest';
import { BROKEN, FILES, FIXED, gateIn } from '../support/gate.ts';
import { ralph } from '../support/ralph.ts';

describe('ralph gate, where an agent sets variables in its own settings', () => {
  it('keeps to the settings of the start, and takes no session for one within a loop', async () => {
    const { root, state, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    const test = FILES['test/sums.test.js'] as string;
    write('test/sums.test.js', test.replace('twice(2), 4', 'twice(2), twice(2)'));
    write('.claude/settings.json', '{ "env": { "RALPH_ALLOW": "**" } }');
    const stopWith = async (env: Record<string, string>, session = 's1') => {
      const input = JSON.stringify({ session_id: session, cwd: root });
      const how = { env: { XDG_STATE_HOME: state, ...env }, input };
      return (await ralph(root, ['gate', 'check', '--hook', 'claude'], how)).stdout;
    };
    expect(JSON.parse(await stopWith({ RALPH_ALLOW: '**' }))).toMatchObject({ decision: 'block' });
    expect(JSON.parse(await stopWith({ RALPH_LOOP_ID: 'x' }))).toMatchObject({ decision: 'block' });
    expect(await stopWith({ RALPH_LOOP_ID: 'x' }, 'of-a-loop')).toBe('');
    write('test/sums.test.js', test);
    const { systemMessage } = JSON.parse(await stopWith({ RALPH_ALLOW: '**' })) as { systemMessage: string };
    expect(systemMessage).toMatch(/RALPH_ALLOW is not as at the start/);
    expect(systemMessage).toMatch(/see \.claude\/settings\.json/);
    expect((await stop()).systemMessage).not.toMatch(/RALPH_ALLOW/);
  });

  it('runs the checks with the options of Node and the programs of the start', async () => {
    const { root, state, run, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    const stopWith = async (env: Record<string, string>) => {
      const input = JSON.stringify({ session_id: 's1', cwd: root });
      const how = { env: { XDG_STATE_HOME: state, ...env }, input };
      return (await ralph(root, ['gate', 'check', '--hook', 'claude'], how)).stdout;
    };
    const { PATH = '' } = process.env;
    write('src/sums.js', BROKEN);
    const chosen = { NODE_OPTIONS: '--test-name-pattern=negates' };
    expect(JSON.parse(await stopWith(chosen))).toMatchObject({ decision: 'block' });
    write('src/sums.js', FIXED);
    const { systemMessage } = JSON.parse(await stopWith(chosen)) as { systemMessage: string };
    expect(systemMessage).toMatch(/NODE_OPTIONS is not as at the start/);
    expect(await stopWith({ PATH: PATH.split(':').reverse().join(':'), LANG: 'C' })).toBe('');
  });
});
