import { describe, expect, it } from 'vitest';
import type { LoopOptions } from '../../src/loop/options.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { Diagnostic } from '../../src/schema/generated.ts';
import { evaluation, failure, loopOptions, scriptedLoop, type Script } from '../support/scripted.ts';

/** Each letter is a tree with one wrong value of its own, none better than the base. */
const judge: Script['judge'] = (tree) =>
  evaluation(1, 4, { diagnostics: [failure(tree === 'base' ? 99 : tree.charCodeAt(0))] });

async function endOf(edits: readonly string[]) {
  const loop = scriptedLoop({ edits, judge });
  return runLoop(loop.ports, loopOptions({ maxIterations: 8 }));
}

it.each([
  ['the same three times', 'AAAAAAAA', 3],
  ['two wrong values in turn', 'ABABABAB', 4],
  ['three wrong values in turn', 'ABCABCAB', 5],
])('stalls on %s', async (_, letters, attempts) => {
  const verdict = await endOf([...letters].map((letter, index) => `${letter}${index}`));
  expect([verdict.status, verdict.iterations]).toEqual(['stalled', attempts]);
  expect(verdict.reason).toMatch(/Attempt \d ended with the same failures as attempt \d\./);
});

it('says that a tree came back', async () => {
  expect((await endOf(['A', 'B', 'A', 'B'])).reason).toContain(
    'Attempt 4 ended with the same tree as attempt 2.',
  );
});

it('stalls on trees in turn although the first of them was a gain', async () => {
  const gaining: Script['judge'] = (tree, ...rest) =>
    tree === 'A' ? evaluation(2, 4, { diagnostics: [failure(1)] }) : judge(tree, ...rest);
  const loop = scriptedLoop({ edits: ['A', 'B', 'A', 'B', 'A', 'B'], judge: gaining });
  const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 8, retryFrom: 'last' }));
  expect([verdict.status, verdict.iterations]).toEqual(['stalled', 4]);
});

it('goes on after a gain while the next attempts leave its failures in other trees', async () => {
  const gaining: Script['judge'] = (tree) =>
    evaluation(tree === 'base' ? 1 : 2, 4, { diagnostics: [failure(1)] });
  const loop = scriptedLoop({ edits: ['A', 'B', 'C', 'D', 'E'], judge: gaining });
  const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 8 }));
  expect([verdict.status, verdict.iterations]).toEqual(['stalled', 4]);
});

it('goes on while each attempt fails in a new way', async () => {
  expect(await endOf([...'ABCDEFGH'])).toMatchObject({ status: 'exhausted', iterations: 8 });
});

it('does not stall where the options say so', async () => {
  const loop = scriptedLoop({ edits: ['A', 'A', 'A', 'A', 'A'], judge });
  const options = loopOptions({ maxIterations: 5, stopOnStall: false });
  expect(await runLoop(loop.ports, options)).toMatchObject({ status: 'exhausted', iterations: 5 });
});

describe('held-out checks', () => {
  const heldOut = { ...failure(7), check: 'holdout', rule: 'holdout', type: 'other' } as const;
  const endWith = async (diagnostics: readonly Diagnostic[], over: Partial<LoopOptions> = {}) => {
    const judge: Script['judge'] = (tree) =>
      tree === 'base'
        ? evaluation(1, 4)
        : evaluation(3, 4, { diagnostics: [failure(tree.charCodeAt(0)), ...diagnostics] });
    const loop = scriptedLoop({ edits: [...'ABCD'], judge });
    return runLoop(loop.ports, loopOptions({ maxIterations: 4, ...over }));
  };

  it('end the loop when they fail, since the next attempt could be made to fit them', async () => {
    const verdict = await endWith([heldOut], { stopOnStall: false });
    expect(verdict).toMatchObject({ status: 'stalled', iterations: 1, verified: false });
    expect(verdict.reason).toContain('The held-out checks run once in a loop');
  });

  it('are not mistaken for a check of the user that has their name', async () => {
    expect(await endWith([{ ...heldOut, rule: undefined }])).toMatchObject({ iterations: 4 });
  });
});
