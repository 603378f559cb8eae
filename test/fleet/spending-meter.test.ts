import { describe, expect, it } from 'vitest';
import { createSpendingMeter } from '../../src/fleet/store/spending-meter.ts';
import { RALPH_PATHS } from '../../src/platform/ralph-folder.ts';
import { sealedLine } from '../../src/platform/files/sealed.ts';
import type { Usage } from '../../src/schema/generated.ts';

const LOOP = 'ralph-fix-login-20260125-x7k2p9';
const JOURNAL = RALPH_PATHS.journal(LOOP);
const CALLS = RALPH_PATHS.modelCalls(LOOP);

function usage(tokens: number, usd: number | null = tokens / 100): Usage {
  return { input_tokens: tokens - 1, output_tokens: 1, cached_input_tokens: 0, cost_usd: usd };
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${sealedLine(value)}\n`).join('');
}

const HEADER = '{"ralph_recording":1}\n';
const call = (step: number, tokens: number): object => ({ taken: usage(tokens), finished_steps: step });
const act = (tokens: number, usd?: number | null): object => ({
  step: '1:act',
  data: { trajectory: { usage: usage(tokens, usd) } },
});
const started = { step: 'start', data: { loop_id: LOOP } };

/** Total of a loop with these files. */
function spentOf(journal: readonly object[], calls: readonly object[] = []): unknown {
  const meter = createSpendingMeter(LOOP);
  meter.read({ path: JOURNAL, from: 0, content: Buffer.from(linesOf(journal)) });
  meter.read({ path: CALLS, from: 0, content: Buffer.from(HEADER + linesOf(calls)) });
  return meter.total;
}

describe('what a loop has spent', () => {
  it.each([
    ['the calls of a step that has not ended', [started], [call(1, 100), call(1, 50)], 150],
    ['a step and its calls once', [started, act(150)], [call(1, 100), call(1, 50)], 150],
    ['the tries of a step that were not answered', [started, act(170)], [call(1, 100), call(1, 50)], 170],
    ['calls that a step was asked for twice', [started, act(100)], [call(1, 100), call(1, 100)], 200],
    ['an attempt of an agent', [started, act(300)], [], 300],
    [
      'a reflection, a judgement and written tests',
      [
        started,
        { step: 'acceptance', data: { suite: { usage: usage(10) } } },
        { step: '1:reflect', data: { path: 'x', reflection: { reflector: { usage: usage(20) } } } },
        { step: '1:judge', data: { findings: [], usage: usage(30) } },
      ],
      [],
      60,
    ],
    [
      'long-term memory, which records sums',
      [started, { step: '1:learn', data: usage(10) }, { step: '2:learn', data: usage(25) }],
      [],
      25,
    ],
    [
      'nothing for steps of older versions',
      [started, { step: '1:learn', data: { $undefined: true } }, { step: '1:reflect', data: 'x' }],
      [],
      0,
    ],
  ] as const)('counts %s', (_, journal, calls, tokens) => {
    expect(spentOf(journal, calls)).toEqual({ usd: expect.closeTo(tokens / 100) as number, tokens });
  });

  it('has the known costs, if others are unknown', () => {
    expect(spentOf([started, act(10, null)], [])).toEqual({ usd: 0, tokens: 10 });
    expect(spentOf([started, act(10, null)], [call(2, 100)])).toEqual({ usd: 1, tokens: 110 });
  });

  it('is the same if the files are read in pieces, some of them twice', () => {
    const meter = createSpendingMeter(LOOP);
    const text = Buffer.from(`${HEADER}${linesOf([{ ...call(1, 100), text: 'ü' }, call(1, 7)])}`);
    for (let from = 0; from < text.length; from += 3)
      // Each piece but the first one begins with the last byte of the one before.
      meter.read({
        path: CALLS,
        from: Math.max(0, from - 1),
        content: text.subarray(Math.max(0, from - 1), from + 3),
      });
    expect(meter.total).toEqual({ usd: 1.07, tokens: 107 });
    meter.read({ path: CALLS, from: 0, content: text });
    expect(meter.total).toEqual({ usd: 1.07, tokens: 107 });
  });

  it('is not changed by another file', () => {
    const meter = createSpendingMeter(LOOP);
    meter.read({ path: `${CALLS}.old`, from: 0, content: Buffer.from(linesOf([call(1, 100)])) });
    expect(meter.total).toEqual({ usd: 0, tokens: 0 });
  });
});
