import { describe, expect, it } from 'vitest';
import { newlyByChance } from '../../../src/compose/gate/newly-by-chance.ts';
import type { Evaluation, TestCase } from '../../../src/schema/generated.ts';

const READ = { what: 'chance', file: 'src/a.js', line: 3, from: 0, to: 1, expression: '', origin: '' };
const DRAWN = { ...READ, use: 'low' } as const;

function evaluationOf(...tests: (Partial<TestCase> & { readonly id: string })[]): Evaluation {
  const all = tests.map((test) => ({ name: test.id, status: 'passed', ...test }));
  return { tests: all } as unknown as Evaluation;
}

/** Which trees ran again, for a change whose runs and a start whose runs have these results of the test `a`. */
async function judged({
  change = [],
  start = [],
  flaky = false,
  reads = [DRAWN],
}: {
  readonly change?: readonly ('passed' | 'failed')[];
  readonly start?: readonly ('passed' | 'failed')[];
  readonly flaky?: boolean;
  readonly reads?: Parameters<typeof newlyByChance>[0]['reads'];
}) {
  const left = { change: [...change], start: [...start] };
  const ran: string[] = [];
  const text = await newlyByChance({
    baseline: evaluationOf({ id: 'a' }, { id: 'b' }),
    evaluation: evaluationOf({ id: 'a', ...(flaky && { flaky: true }) }, { id: 'b' }),
    reads,
    again: (which) => {
      ran.push(which);
      return Promise.resolve(evaluationOf({ id: 'a', status: left[which].shift() ?? 'passed' }, { id: 'b' }));
    },
  });
  return { text, ran: ran.join(' ') };
}

describe('a change that newly draws chance', () => {
  it('is held for a test that fails in a further run and in none of the start', async () => {
    const { text, ran } = await judged({ change: ['passed', 'failed'] });
    expect(text).toMatch(/^Test "a" passed and failed .* 6 runs of the start\. .*chance at src\/a\.js:3/);
    expect(ran).toBe('change change start start start start start');
  });

  it('is held for a test that failed at first and passed when it ran again', async () => {
    expect((await judged({ flaky: true })).text).toMatch(/Test "a"/);
  });

  it.each([
    ['whose tests pass each time', {}],
    ['whose test fails in a run of the start as well', { flaky: true, start: ['passed', 'failed'] as const }],
    ['that reads nothing of the kind', { flaky: true, reads: [] }],
    ['that reads another thing', { flaky: true, reads: [{ ...DRAWN, what: 'process.cwd' }] }],
  ])('is let go %s', async (_, asked) => {
    expect((await judged(asked)).text).toBeUndefined();
  });

  it('costs no run where a time is only shown', async () => {
    const shown = { ...READ, what: 'the clock', use: 'value' } as const;
    expect(await judged({ reads: [shown], change: ['failed'] })).toEqual({ text: undefined, ran: '' });
  });
});
