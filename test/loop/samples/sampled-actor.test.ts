import { describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/events.ts';
import { createSampledActor } from '../../../src/loop/samples/sampled-actor.ts';
import { runLoop } from '../../../src/loop/run.ts';
import type { Actor } from '../../../src/ports.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import { validate } from '../../../src/schema/validate.ts';
import { evaluation, loopOptions, scriptedLoop, type Script } from '../../support/scripted.ts';

/** `base` passes 1 of 4; `tN…` passes N of 4. */
const judge: Script['judge'] = (tree) => evaluation(tree === 'base' ? 1 : Number(tree[1]), 4);

type Edit = string | ((context: AttemptContext) => string | Promise<string>);

interface Sampled {
  readonly loop: ReturnType<typeof scriptedLoop>;
  /** Trees that were evaluated without the confirmation, in their order. */
  readonly judged: string[];
}

/** A loop with one scripted actor for each list of edits, attempt by attempt. */
function sampledLoop(
  edits: readonly (readonly Edit[])[],
  over: { readonly timeLeftMs?: () => number; readonly outcome?: Script['outcome'] } = {},
): Sampled {
  const judged: string[] = [];
  const noted: Script['judge'] = (tree, confirm) => {
    if (!confirm) judged.push(tree);
    return judge(tree, confirm);
  };
  const [first, ...rest] = edits.map((own) =>
    scriptedLoop({ edits: own, judge: noted, ...(over.outcome && { outcome: over.outcome }) }),
  );
  const { ports } = first!;
  const places = [first!, ...rest].map(({ ports: { actor, bench, workspace } }) => ({
    actor,
    bench,
    workspace,
  }));
  const actor: Actor = createSampledActor({
    places: places as [(typeof places)[0]],
    evaluator: ports.evaluator,
    guard: ports.guard,
    baseline: () => judge('base', false),
    signal: new AbortController().signal,
    timeLeftMs: over.timeLeftMs ?? (() => undefined),
  });
  (first!.ports as { actor: Actor }).actor = actor;
  return { loop: first!, judged };
}

function fails(message: string): Edit {
  return () => {
    throw new Error(message);
  };
}

describe('several actors at the same time', () => {
  it('start from the same tree, and the best of their results is verified and delivered', async () => {
    const { loop } = sampledLoop([['t2'], ['t4'], ['t3']]);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ verified: true, iterations: 1, reward: 1 });
    expect(loop.delivered).toEqual(['t4']);
  });

  it('are in the verdict, with why some of them ended early', async () => {
    const { loop } = sampledLoop([[fails('the key was rejected')], ['t4'], [fails('the key was rejected')]]);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict.verified).toBe(true);
    expect(verdict.attempts[0]!.samples).toMatchObject([
      { number: 1, chosen: false, ended_early: 'the key was rejected' },
      { number: 2, chosen: true, outcome: 'edited' },
      { number: 3, chosen: false, ended_early: 'the key was rejected' },
    ]);
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
  });

  it('are not evaluated after one that passes, and equal results are evaluated once', async () => {
    const { loop, judged } = sampledLoop([['t2'], ['t2'], ['t4'], ['t3']]);
    await runLoop(loop.ports, loopOptions());
    // The baseline, the samples, and the attempt as the loop evaluates it.
    expect(judged.slice(0, 4)).toEqual(['base', 't2', 't4', 't4']);
  });

  it('go on together from the best result, with the count of those that failed alike in the reflection', async () => {
    const { loop } = sampledLoop([
      ['t2', 't4'],
      ['t3', 't4'],
      ['t2', 't4'],
      ['base', 't4'],
    ]);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ verified: true, iterations: 2, best_iteration: 2 });
    const text = loop.reflections[0]!.self_reflection.reflection_text;
    expect(text).toMatch(
      /^Of 4 attempts at the same time, number 2 was the best\. 2 of 4 changed src\/file\.ts and left 2 failures: .*\. 1 of 4 changed src\/file\.ts and left one failure: .*\. 1 of 4 changed no file\./,
    );
    expect(loop.contexts[1]!.evaluation.reward).toBe(0.75);
  });

  it('are not told from each other where they left as many failures', async () => {
    const { loop } = sampledLoop([
      ['t2', 't4'],
      ['t2', 't4'],
    ]);
    await runLoop(loop.ports, loopOptions());
    expect(loop.reflections[0]!.self_reflection.reflection_text).toMatch(
      /^Of 2 attempts at the same time, number 1 stands for the attempt, and number 2 left as many failures\. 2 of 2 changed/,
    );
  });

  it('cost what all of them cost, and each leaves its patch', async () => {
    const { loop } = sampledLoop([['t2'], ['t4'], ['t3']]);
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict.usage).toMatchObject({ input_tokens: 30, output_tokens: 3 });
    expect([...loop.attached.keys()].filter((path) => path.includes('samples'))).toEqual([
      'attempts/001/samples/1.patch',
      'attempts/001/samples/2.patch',
      'attempts/001/samples/3.patch',
    ]);
    const finished = loop.events.find(({ type }) => type === 'actor_finished') as { trajectory: object };
    expect(validate('trajectory', finished.trajectory)).toMatchObject({ ok: true });
  });

  it('end the loop with an error only if none of them could run', async () => {
    const some = sampledLoop([[fails('no key')], ['t4']]);
    expect(await runLoop(some.loop.ports, loopOptions())).toMatchObject({ verified: true });
    const none = sampledLoop([[fails('no key')], [fails('no key')]]);
    await expect(runLoop(none.loop.ports, loopOptions())).rejects.toThrow(/no key/);
  });

  it('end the loop if the budget ended one of them and none passes', async () => {
    const { loop } = sampledLoop([['t2'], ['t3']], { outcome: 'out_of_budget' });
    expect(await runLoop(loop.ports, loopOptions())).toMatchObject({ status: 'budget', best_iteration: 1 });
  });

  it('are not evaluated when the time is short: the first one stands for the attempt', async () => {
    const { loop, judged } = sampledLoop([['t2'], ['t4']], { timeLeftMs: () => 0 });
    await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
    expect(judged).toEqual(['base', 't2']);
  });

  it('work on the same attempt with numbers of their own, and do not mix their events', async () => {
    const events: WorkEvent[] = [];
    const talk =
      (tree: string): Edit =>
      async ({ onWork, sample }) => {
        for (const text of ['a', 'b']) {
          onWork({ type: 'warning', text: `${sample}${text}` });
          await Promise.resolve();
        }
        return tree;
      };
    const { loop } = sampledLoop([[talk('t2')], [talk('t4')]]);
    await runLoop(loop.ports, loopOptions());
    for (const event of loop.events) if (event.type === 'warning') events.push(event);
    expect(events.map((event) => 'text' in event && event.text)).toEqual(['1a', '1b', '2a', '2b']);
  });
});
