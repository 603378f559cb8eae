import { expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import { evaluation, loopOptions, scriptedLoop, type Script } from '../support/scripted.ts';

/** `base` passes 1 of 10; `tN` passes N of 10. */
const judge: Script['judge'] = (tree) => evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 10);

it('compares with the attempt before, and is_improvement with the start of the attempt', async () => {
  const loop = scriptedLoop({ edits: ['t5', 't2', 't4'], judge });
  await runLoop(loop.ports, loopOptions({ maxIterations: 3 }));
  const deltas = loop.reflections.map(({ performance_delta: delta }) => [
    Number(delta.reward_change.toFixed(3)),
    delta.error_count_change,
    delta.is_improvement,
  ]);
  // The third attempt starts from the first one, whose reward is higher than its own.
  expect(deltas).toEqual([
    [0.4, -4, true],
    [-0.3, 3, false],
    [0.2, -2, false],
  ]);
});

it('stores what the checks printed, bounded; for a silent runner its summary and failures', async () => {
  const printing: Script['judge'] = (tree) => {
    const seen = judge(tree, false);
    return { ...seen, checks: seen.checks.map((check) => ({ ...check, output: 'x'.repeat(9000) })) };
  };
  const stdoutOf = async (script: Script['judge']): Promise<string> => {
    const loop = scriptedLoop({ edits: ['t9'], judge: script });
    await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
    return loop.reflections[0]!.evaluator_output.results[0]!.stdout!;
  };
  expect(await stdoutOf(printing)).toBe('x'.repeat(4000));
  expect(await stdoutOf(judge)).toBe('9 of 10 passed\ntest 0: test 0 failed');
});
