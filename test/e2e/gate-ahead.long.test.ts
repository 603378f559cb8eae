import { readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../src/schema/generated.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { BROKEN, FILES, FIXED, gateIn, SOURCE, type Gate } from '../support/gate.ts';

const CALL = { session_id: 's1', tool_name: 'Edit', tool_input: {} };
const AHEAD = ['ahead', '--session', 's1'];

async function started(files = FILES): Promise<Gate> {
  const gate = gateIn(files);
  await gate.run(['start', '--hook', 'claude'], { session_id: 's1', cwd: gate.root });
  return gate;
}

/** An evaluation of the session, with the times that it took; undefined if it is not stored. */
function stored({ state }: Gate, which: string): Evaluation | undefined {
  const name = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`s1/${which}.json`),
  );
  if (name === undefined) return undefined;
  return (JSON.parse(readFileSync(join(state, name), 'utf8')) as { evaluation: Evaluation }).evaluation;
}

describe.runIf(hasBubblewrap)('ralph gate ahead', () => {
  it('has the answer ready for a stop with the same files, and for no other ones', async () => {
    const gate = await started();
    gate.write('src/sums.js', FIXED);
    expect(await gate.run(AHEAD)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const ahead = stored(gate, 'ahead');
    expect(ahead).toMatchObject({ passed: true });
    expect(await gate.stop()).toEqual({});
    expect(stored(gate, 'last')).toEqual(ahead);
    gate.write('src/sums.js', BROKEN);
    expect(await gate.stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/doubles/) });
    gate.write('src/sums.js', FIXED);
    expect(await gate.stop()).toEqual({});
    // It is judged anew: the check before was another one.
    expect(stored(gate, 'last')).not.toEqual(ahead);
  });

  it('lets nobody go who deletes a test, or changes the tests or the packages, after it', async () => {
    const gate = await started();
    gate.write('src/sums.js', FIXED);
    await gate.run(AHEAD);
    const test = FILES['test/sums.test.js'] as string;
    rmSync(join(gate.root, 'test/sums.test.js'));
    expect(await gate.stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/deleted/) });
    gate.write('test/sums.test.js', test.replace("test('doubles'", "test.skip('doubles'"));
    expect(await gate.stop()).toMatchObject({ decision: 'block' });
    gate.write('test/sums.test.js', test);
    gate.write('node_modules/.package-lock.json', '{}');
    await gate.run(AHEAD);
    const ahead = stored(gate, 'ahead');
    utimesSync(join(gate.root, 'node_modules/.package-lock.json'), new Date(), new Date(0));
    // What was red at the start may be so by packages of then.
    expect((await gate.stop()).systemMessage).toMatch(/Packages were installed since the start/);
    expect(stored(gate, 'last')).not.toEqual(ahead);
  });

  it('keeps nothing of files that do not pass, nor a start that is red in another way each time', async () => {
    const gate = await started();
    gate.write('src/sums.js', BROKEN);
    await gate.run(AHEAD);
    expect(stored(gate, 'baseline')).toMatchObject({ passed: false });
    expect(stored(gate, 'ahead')).toBeUndefined();
    expect(await gate.stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/doubles/) });

    const restless = await started({
      ...FILES,
      'test/restless.test.js':
        "import { test } from 'node:test';\ntest(`at ${Date.now()}`, () => { throw new Error('red'); });\n",
    });
    restless.write('src/sums.js', FIXED);
    await restless.run(AHEAD);
    expect(stored(restless, 'baseline')).toBeUndefined();
    // The start is evaluated no third time.
    const noted = stored(restless, 'ahead');
    await restless.run(AHEAD);
    expect(stored(restless, 'ahead')).toEqual(noted);
    await restless.stop();
    expect(stored(restless, 'last')).not.toEqual(noted);
  });

  it('judges the files again that change meanwhile, and gives way to a stop with others', async () => {
    const slow = (FILES['test/sums.test.js'] as string).replace(
      "test('adds',",
      "test('waits', () => new Promise((resolve) => setTimeout(resolve, 3000)));\ntest('adds',",
    );
    const gate = await started({ ...FILES, 'test/sums.test.js': slow });
    gate.write('src/sums.js', BROKEN);
    let running = gate.run(AHEAD);
    await gate.untilCopied('a * 3');
    gate.write('src/sums.js', FIXED);
    await running;
    expect(stored(gate, 'ahead')).toMatchObject({ passed: true });

    gate.write('src/sums.js', `${FIXED}// A note.\n`);
    running = gate.run(AHEAD);
    await gate.untilCopied('// A note.');
    gate.write('src/sums.js', SOURCE.replace('a * 2', 'a * 4'));
    expect(await gate.stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/doubles/) });
    await running;
    expect(stored(gate, 'last')).toMatchObject({ passed: false });
  });

  it('goes on in the background of a hook, once, and a stop waits for its result', async () => {
    const gate = await started();
    gate.write('src/sums.js', FIXED);
    const hook = (): Promise<unknown> => gate.run(['ahead', '--hook', 'claude'], { ...CALL, cwd: gate.root });
    expect(await hook()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(await hook()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    await expect.poll(() => stored(gate, 'baseline'), { timeout: 60_000 }).toBeDefined();
    expect(await gate.stop()).toEqual({});
    expect(stored(gate, 'last')).toEqual(stored(gate, 'ahead'));
  });

  it('does nothing for a session that is not watched, or a payload that cannot be read', async () => {
    const gate = gateIn();
    const asked = await gate.run(['ahead', '--hook', 'claude'], { ...CALL, cwd: gate.root });
    expect(asked).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const { exitCode } = await gate.run(['ahead', '--hook', 'claude'], 'garbled');
    // Exit code 2 would tell the agent.
    expect(exitCode).toBe(1);
    expect(stored(gate, 'ahead')).toBeUndefined();
  });
});
