import { describe, expect, it } from 'vitest';
import { endsWhenStopped } from '../../src/agents/ends-when-stopped.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { LoopOptions, LoopPorts } from '../../src/loop/options.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import type { Usage } from '../../src/schema/generated.ts';
import {
  evaluation,
  loopOptions,
  scriptedLoop,
  type Script,
  type ScriptedLoop,
} from '../support/scripted.ts';

/** `base` passes 1 of 4; `tN` passes N of 4. */
const judge: Script['judge'] = (tree) => evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);
const STRENGTH = {
  tried: 1,
  caught: 1,
  survivors: [],
  unexecuted: [],
  unneeded: [],
  complete: true,
  duration_ms: 1,
};
const NO_USAGE = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 };

const EXPERIENCE: NonNullable<LoopPorts['experience']> = {
  withhold: () => Promise.resolve(undefined),
  recall: () => Promise.resolve(undefined),
  learn: () => Promise.resolve(),
  conclude: () => Promise.resolve(),
  spent: NO_USAGE,
};

/** A user who presses Ctrl-C while a step runs. The step ends only when its signal aborts: a loop that waits for it hangs. */
class Stop {
  readonly #controller = new AbortController();
  #pressed = false;

  get options(): Pick<LoopOptions, 'stopRequested' | 'stop'> {
    const { signal } = this.#controller;
    return { stopRequested: () => signal.aborted, stop: signal };
  }

  /** The step: presses Ctrl-C the first time, and then waits for its end. */
  async press<T>(signal: AbortSignal, result: T): Promise<T> {
    if (this.#pressed) return result;
    this.#pressed = true;
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.#controller.abort();
    await ended;
    return result;
  }

  /** Presses Ctrl-C without waiting for anything. */
  now(): void {
    this.#pressed = true;
    this.#controller.abort();
  }
}

type Phase = (loop: ScriptedLoop, stop: Stop) => Partial<LoopPorts>;

/** Evaluations as the script says; the one with this number, from 1, is disturbed. */
const disturbed =
  (number: number): Phase =>
  ({ ports }, stop) => {
    let count = 0;
    return {
      evaluator: {
        async evaluate(request) {
          const result = await ports.evaluator.evaluate(request);
          return ++count === number ? stop.press(request.signal, result) : result;
        },
      },
    };
  };

const reflecting: Phase = ({ ports }, stop) => ({
  reflector: {
    async reflect(request) {
      const output = await ports.reflector.reflect(request);
      return stop.press(request.signal, output);
    },
  },
});

const proofAgain: Phase = ({ ports }, stop) => ({
  bench: {
    ...ports.bench,
    async run(name, narrowing) {
      const report = await ports.bench.run(name, narrowing);
      return stop.press(narrowing.signal!, report);
    },
  },
});

const measuring: Phase = (_, stop) => ({
  strength: { measure: ({ signal }) => stop.press(signal, STRENGTH) },
});

const judging: Phase = (_, stop) => ({
  judge: {
    name: 'scripted/judge',
    judge: ({ signal }) => stop.press(signal, { findings: [], usage: NO_USAGE, problem: 'It was cut off.' }),
  },
});

const acting =
  (stop: Stop): Script['edits'][number] =>
  ({ signal }: AttemptContext) =>
    stop.press(signal, 't4');

describe('a loop that the user stops', () => {
  it.each([
    ['the evaluation of an attempt', disturbed(2), '1:evaluate', ['t4']],
    ['its confirmation', disturbed(3), '1:confirm', ['t4']],
    ['the second run on the untouched tree', proofAgain, '1:red-again', ['t4']],
    ['the measurement of the proof', measuring, '1:strength', ['t4']],
    ['a question to the judge', judging, '1:judge', ['t4']],
    ['a reflection', reflecting, '1:reflect', ['t2', 't4']],
  ] as const)('cuts off %s, and makes it again when resumed', async (_, phase, step, edits) => {
    const stop = new Stop();
    const first = scriptedLoop({ edits, judge });
    const ports = { ...first.ports, ...phase(first, stop) };
    const options = loopOptions({ proof: { ...loopOptions().proof, timeMs: 1000 } });
    const stopped = await runLoop(ports, { ...options, ...stop.options });
    expect(stopped).toMatchObject({ status: 'aborted', verified: false, applied: 'none' });
    expect(first.delivered).toEqual([]);
    expect(first.states.at(-1)).toMatchObject({ status: 'aborted' });
    expect([...first.journal.keys()]).not.toContain(step);

    const again = scriptedLoop({ edits, judge }, first);
    const resumed = { ...again.ports, ...phase(again, stop) };
    const verdict = await runLoop(resumed, { ...options, resumed: true });
    expect(verdict).toMatchObject({ status: 'passed', verified: true, iterations: edits.length });
    expect([...again.journal.keys()]).toContain(step);
  });

  it('cuts off the baseline: there is no result yet, and nothing is recorded', async () => {
    const stop = new Stop();
    const loop = scriptedLoop({ edits: ['t4'], judge });
    const ports = { ...loop.ports, ...disturbed(1)(loop, stop) };
    await expect(runLoop(ports, loopOptions(stop.options))).rejects.toMatchObject({ code: 'aborted' });
    expect(loop.journal.size).toBe(0);
    expect(loop.contexts).toEqual([]);
  });

  it('cuts off an attempt that can be made again, and takes its edits out of the workspace', async () => {
    const stop = new Stop();
    const first = scriptedLoop({ edits: [acting(stop)], judge });
    const ports = { ...first.ports, actor: endsWhenStopped(first.ports.actor) };
    const stopped = await runLoop(ports, loopOptions(stop.options));
    expect(stopped).toMatchObject({ status: 'aborted', iterations: 0 });
    expect([...first.journal.keys()]).toEqual(['baseline']);
    expect(first.tree).toBe('base');

    const again = scriptedLoop({ edits: ['t4'], judge }, first);
    expect(await runLoop(again.ports, loopOptions({ resumed: true }))).toMatchObject({ verified: true });
  });

  it('finishes an attempt of an agent, and does not evaluate it', async () => {
    const stop = new Stop();
    const ofAgent = ({ signal }: AttemptContext): string => {
      stop.now();
      return signal.aborted ? 't1' : 't4';
    };
    const first = scriptedLoop({ edits: [ofAgent], judge });
    const stopped = await runLoop(first.ports, loopOptions(stop.options));
    expect(stopped).toMatchObject({ status: 'aborted', iterations: 0 });
    expect([...first.journal.keys()]).toEqual(['baseline', '1:act']);
    const again = scriptedLoop({ edits: ['never'], judge }, first);
    expect(await runLoop(again.ports, loopOptions({ resumed: true }))).toMatchObject({ verified: true });
    expect(again.contexts).toEqual([]);
  });

  it('begins no attempt of an agent after the stop', async () => {
    const stop = new Stop();
    const loop = scriptedLoop({ edits: ['t4'], judge });
    const recall = (): Promise<undefined> => {
      stop.now();
      return Promise.resolve(undefined);
    };
    await runLoop({ ...loop.ports, experience: { ...EXPERIENCE, recall } }, loopOptions(stop.options));
    expect(loop.contexts).toEqual([]);
  });

  it('counts what the model calls of a cut attempt have cost, also when it is resumed', async () => {
    const usage: Usage = { input_tokens: 700, output_tokens: 30, cached_input_tokens: 0, cost_usd: 2 };
    const stop = new Stop();
    const calling = ({ signal, onWork }: AttemptContext): Promise<string> => {
      onWork({ type: 'model_called', model: 'x/y', usage, durationMs: 5 });
      return stop.press(signal, 't4');
    };
    const first = scriptedLoop({ edits: [calling], judge });
    const ports = { ...first.ports, actor: endsWhenStopped(first.ports.actor) };
    const stopped = await runLoop(ports, loopOptions(stop.options));
    expect(stopped.usage).toMatchObject({ input_tokens: 700, cost_usd: 2 });
    expect(first.journal.get('1:cut:1')).toEqual({ usage });

    const again = scriptedLoop({ edits: ['t4'], judge }, first);
    const verdict = await runLoop(again.ports, loopOptions({ resumed: true }));
    expect(verdict).toMatchObject({ verified: true, usage: { input_tokens: 710, cost_usd: 2.5 } });
  });

  it('delivers what is verified, although the user stops what is learned of it', async () => {
    const stop = new Stop();
    const loop = scriptedLoop({ edits: ['t4'], judge });
    const learn = async ({ signal }: { signal: AbortSignal }): Promise<void> => stop.press(signal, undefined);
    const experience = { ...EXPERIENCE, learn };
    const verdict = await runLoop({ ...loop.ports, experience }, loopOptions(stop.options));
    expect(verdict).toMatchObject({ status: 'passed', verified: true });
    expect(loop.delivered).toEqual(['t4']);
  });
});
