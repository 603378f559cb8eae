import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  QUICK_CART_FILES,
  edits,
  KEYS,
  modelFlags,
  RIGHT_EDIT,
  runWith,
  trajectoryOf,
  WRONG_EDIT,
} from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';
import type { WireReply, WireRequest } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const DONE: WireReply = { text: 'Done.' };

/** True for a request after the edit of its conversation. */
function hasEdited({ body }: WireRequest): boolean {
  return body.includes('"role":"tool"');
}

describe('--samples', () => {
  it('asks a model several times at once, and the best result is verified', async () => {
    let conversations = 0;
    const server = await serve((request) => {
      if (hasEdited(request)) return DONE;
      conversations++;
      return edits(conversations === 2 ? RIGHT_EDIT : WRONG_EDIT);
    });
    const root = repositoryWith(QUICK_CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--samples', '3']);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 1 });
    expect(readFileSync(join(root, 'src/cart.js'), 'utf8')).toContain(RIGHT_EDIT.newText);
    expect(server.requests).toHaveLength(6);
    const { samples, usage } = trajectoryOf(root, verdict.loop_id!);
    expect(samples).toHaveLength(3);
    expect(samples!.filter(({ passed }) => passed)).toMatchObject([{ chosen: true, reward: 1 }]);
    expect(usage).toEqual(verdict.usage);
  });

  it('keeps to a budget for all of them', async () => {
    const server = await serve(() => ({ ...edits(WRONG_EDIT), usage: { input: 1000, output: 100 } }));
    const root = repositoryWith(QUICK_CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--samples', '3', '--max-tokens', '9000']);
    expect(exitCode).toBe(3);
    expect(verdict.usage.input_tokens + verdict.usage.output_tokens).toBeLessThanOrEqual(9000);
  });

  it('is resumed after a kill without sending answered requests again', async () => {
    const server = await serve((request) =>
      // The second conversation waits until the first one has ended and the loop is killed.
      hasEdited(request) ? DONE : { ...edits(RIGHT_EDIT), ...(request.number === 1 && { delayMs: 4000 }) },
    );
    const root = repositoryWith(QUICK_CART_FILES);
    const flags = ['run', ...modelFlags(server), '--samples', '2', '--format', 'jsonl', '--quiet'];
    const killed = await ralph(root, flags, {
      env: KEYS,
      when: [['code_modification', (child) => child.kill('SIGKILL')]],
    });
    expect(killed.exitCode).toBeNull();
    const before = server.requests.filter(({ outcome }) => outcome === 'answered').length;
    expect(before).toBe(2);
    const resumed = await ralph(root, ['resume', '--format', 'json'], { env: KEYS });
    expect(resumed.exitCode).toBe(0);
    // Two conversations of two calls: the two that were answered before the kill are not sent again.
    expect(server.requests.filter(({ outcome }) => outcome === 'answered')).toHaveLength(4);
  });

  it('gives each command its number, and does not choose one that deletes the tests', async () => {
    const root = repositoryWith(QUICK_CART_FILES);
    const right = `sed -i 's/${RIGHT_EDIT.oldText}/sum += item.price \\* item.quantity;/' src/cart.js`;
    const command = `case $RALPH_SAMPLE in 1) rm -r test;; 2) echo nothing;; 3) ${right};; esac`;
    const { exitCode, verdict } = await ralphRun(root, ['--command', command, '--samples', '3', '-i', '1']);
    expect(exitCode).toBe(0);
    const { samples } = trajectoryOf(root, verdict.loop_id!);
    expect(samples!.map(({ chosen, passed }) => [chosen, passed])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(readFileSync(join(root, 'test/cart.test.js'), 'utf8')).toContain('counts the quantity');
  });

  it.each([
    [['--samples', '2'], /needs a model, an agent or a command/],
    [['--samples', '2', '--command', 'true', '--isolation', 'in-place'], /needs a workspace for each actor/],
    [['--samples', '17', '--command', 'true'], /--samples is 17: it must be <= 16/],
  ])('is refused for %j', async (args, message) => {
    const { exitCode, stderr } = await ralph(repositoryWith(QUICK_CART_FILES), ['run', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
