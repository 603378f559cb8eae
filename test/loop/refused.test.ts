/** A model that refuses one request may answer the next one; one that refuses two attempts in a row is not asked again. */
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import type { Trajectory } from '../../src/schema/generated.ts';
import { evaluation, loopOptions, scriptedLoop, type ScriptedLoop } from '../support/scripted.ts';

type Fatal = Trajectory['fatal'];

const REFUSED: Fatal = { message: 'I cannot help with that.', if_repeated: true };
const NO_KEY: Fatal = { message: 'The key was rejected.' };

/** Attempts with these trees and ends. */
async function run(ends: readonly (readonly [tree: string, fatal?: Fatal])[], from?: ScriptedLoop) {
  const judge = (tree: string) => evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);
  const loop = scriptedLoop({ edits: ends.map(([tree]) => tree), judge }, from);
  const { actor } = loop.ports;
  const attempt: typeof actor.attempt = async (context) => {
    const trajectory = await actor.attempt(context);
    return { ...trajectory, fatal: ends[context.iteration - 1]?.[1] };
  };
  const ports = { ...loop.ports, actor: { ...actor, attempt } };
  const verdict = runLoop(ports, loopOptions({ maxIterations: ends.length, retryFrom: 'last' }));
  return { loop, verdict: await verdict.catch((error: unknown) => error) };
}

describe('a refusal of the model', () => {
  it('ends the attempt, and the next one repairs', async () => {
    const { verdict } = await run([['base', REFUSED], ['t4']]);
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2 });
  });

  it('in two attempts in a row ends the loop with its words, and each has its reflection', async () => {
    const { loop, verdict } = await run([['base', REFUSED], ['base', REFUSED], ['t4']]);
    expect(verdict).toMatchObject({ exitCode: 5, message: 'I cannot help with that.' });
    expect(loop.reflections).toHaveLength(2);
  });

  it('before and after an attempt that was answered ends no loop', async () => {
    const { verdict } = await run([['t2', REFUSED], ['t3'], ['t2', REFUSED], ['t4']]);
    expect(verdict).toMatchObject({ status: 'passed', iterations: 4 });
  });

  it('after a success is no end at all', async () => {
    const { verdict } = await run([
      ['t2', REFUSED],
      ['t4', REFUSED],
    ]);
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2 });
  });

  it('is not waited for where the model cannot be used at all', async () => {
    const { verdict } = await run([['base', NO_KEY], ['t4']]);
    expect(verdict).toMatchObject({ exitCode: 5, message: 'The key was rejected.' });
  });
});
