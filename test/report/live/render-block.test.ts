import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/events.ts';
import { widthOf } from '../../../src/report/live/fit.ts';
import { renderBlock } from '../../../src/report/live/render-block.ts';
import { RunModel } from '../../../src/report/live/run-model.ts';
import { baseline, ENDED, evaluated, FIRST_ATTEMPT, REFLECTED, SECOND_ATTEMPT, STARTED } from './events.ts';

/** The block after these events, one a second, at their last second. */
function block(events: readonly RunEvent[], columns: number, rows = 40, restMs = 0): string[] {
  const model = new RunModel(0);
  events.forEach((event, second) => model.on(event, second * 1000));
  const nowMs = (events.length - 1) * 1000 + restMs;
  return renderBlock(model, { columns, rows, chalk: new Chalk({ level: 0 }), nowMs });
}

const MIDWAY = [STARTED, ...baseline(3), ...FIRST_ATTEMPT, REFLECTED, ...SECOND_ATTEMPT];

describe('renderBlock', () => {
  it('is compact at 60 columns', () => {
    expect(block(MIDWAY, 60)).toEqual([
      '── attempt 2 of 5 ── acting ─────────────────────── 0:11 ──',
      '✖ tests ━━━━━━━━━━━━━━━━━━━━━━━━━━───────── 3/4     ×0.50',
      '✖ types ━━━━━━━━━━━━━━━━━━───────────────── 1 error ×0.30',
      '✔ lint  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ok      ×0.20',
      '  reward ▁▆ 0.875 ▲ +0.500 best: attempt 1',
      '  budget time 0:11/1:00   cost $0.0200/$2   tokens 3k/50k',
      '  now    src/cart.ts: read lines 1 to 40 of 200.  0:03',
      '  lesson Look at rounding in src/cart.ts before anything',
      '         else. (of attempt 1, and 1 more)',
      '  Ctrl-C stops and saves · twice stops at once',
    ]);
  });

  it('shows budget bars at 80 columns', () => {
    expect(block(MIDWAY, 80)).toEqual([
      '── attempt 2 of 5 ── acting ─────────────────────────────────────────── 0:11 ──',
      '✖ tests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────── 3/4     ×0.50',
      '✖ types ━━━━━━━━━━━━━━━━━━━━──────────────────── 1 error ×0.30',
      '✔ lint  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ok      ×0.20',
      '  reward ▁▆ 0.875 ▲ +0.500 best: attempt 1',
      '  budget time ━─── 0:11/1:00   cost ━─── $0.0200/$2   tokens ━─── 3k/50k',
      '  now    src/cart.ts: read lines 1 to 40 of 200.  0:03',
      '  lesson Look at rounding in src/cart.ts before anything else.',
      '         (of attempt 1, and 1 more)',
      '  Ctrl-C stops and saves · twice stops at once',
    ]);
  });

  it('shows the curve beside the rows at 200 columns', () => {
    expect(block(MIDWAY, 200)).toEqual([
      '── attempt 2 of 5 ── acting ─────────────────────────────────────────── 0:11 ──',
      '✖ tests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────── 3/4     ×0.50              1.000 │    ▃▃',
      '✖ types ━━━━━━━━━━━━━━━━━━━━──────────────────── 1 error ×0.30                    │    ██',
      '✔ lint  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ok      ×0.20              0.375 │ ▁▁ ██',
      '  budget time ━─── 0:11/1:00   cost ━─── $0.0200/$2   tokens ━─── 3k/50k    reward  0.875 ▲ +0.500 best: attempt 1',
      '  now    src/cart.ts: read lines 1 to 40 of 200.  0:03',
      '  lesson Look at rounding in src/cart.ts before anything else. (of attempt 1, and 1 more)',
      '  Ctrl-C stops and saves · twice stops at once',
    ]);
  });

  it('names the checks that are running', () => {
    const [started, first] = baseline(3);
    const lines = block([STARTED, started!, first!], 60);
    expect(lines[0]).toMatch(/^── baseline ─+ 0:02 ──$/);
    expect(lines[1]).toMatch(/^✖ tests ━+─+ 3\/4/);
    expect(lines.join('\n')).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] types ─+ running/);
    expect(lines.join('\n')).toMatch(/now {4}waiting for types, lint {2}0:01/);
  });

  it('shows the first failed test of a running evaluation until its check passes or all have ended', () => {
    const failed = (test: string): RunEvent => {
      const file = 'test/cart.test.ts';
      return { type: 'test_failed', check: 'tests', test, file, message: 'expected 3, received 4' };
    };
    const [started, finished, ended] = baseline(3);
    const rowOf = (...events: RunEvent[]): string | undefined =>
      block([STARTED, started!, ...events], 80).find((line) => line.startsWith('  fails'));
    const row = '  fails  cart > sums (test/cart.test.ts): expected 3, received 4';
    expect(rowOf()).toBeUndefined();
    expect(rowOf(failed('cart > sums'), failed('cart > rounds'))).toBe(row);
    expect(rowOf(failed('cart > sums'), finished!)).toBe(row);
    const { check } = finished as Extract<RunEvent, { type: 'check_finished' }>;
    const passed: RunEvent = { type: 'check_finished', check: { ...check, status: 'pass' } };
    expect(rowOf(failed('cart > sums'), passed)).toBeUndefined();
    expect(rowOf(failed('cart > sums'), finished!, ended!)).toBeUndefined();
  });

  it('shows the end of streamed text, and whole actions', () => {
    const text = `First line\n${'a long thought '.repeat(9)}at its end`;
    const said: RunEvent = { type: 'model_text', model: 'a/b', text };
    expect(block([...MIDWAY, said], 60).join('\n')).toMatch(/now {4}….*thought at its end {2}0:04/);
  });

  it('shows that a stop was requested', () => {
    expect(block([...MIDWAY, { type: 'stop_requested' }], 80).at(-1)).toBe(
      '  Stopping · Ctrl-C again stops at once',
    );
  });

  it('is empty at the end, except during a long memory update', () => {
    expect(block([...MIDWAY, evaluated(4), ENDED], 80)).toEqual([]);
    expect(block([...MIDWAY, evaluated(4), ENDED], 80, 24, 500)).toEqual(['⠴ updating memory']);
  });

  it.each([
    [12, 'Ctrl-C'],
    [5, 'reward'],
    [3, 'now'],
    [2, 'attempt 2'],
  ])('leaves out what is missed least where there are %i rows', (rows, kept) => {
    const lines = block(MIDWAY, 80, rows);
    expect(lines.length).toBeLessThan(rows);
    expect(lines.join('\n')).toContain(kept);
  });

  const HOSTILE = '数字を足す 👩‍👩‍👧 e\u0301 \tﾊﾟ '.repeat(30);
  const hostile: RunEvent[] = [
    {
      ...STARTED,
      project: { ...STARTED.project, checks: [{ ...STARTED.project.checks[0]!, name: HOSTILE }] },
    },
    ...MIDWAY.slice(1),
    { type: 'memory_recalled', iteration: 2, lessons: [], insights: 3, playbook: true },
    { type: 'progress', text: HOSTILE },
    { type: 'test_failed', check: HOSTILE, test: HOSTILE, file: HOSTILE, message: HOSTILE },
  ];

  it.each([1, 2, 8, 20, 40, 60, 80, 109, 110, 200, 400])(
    'is narrower than %i columns, whatever it shows',
    (columns) => {
      for (const events of [
        hostile,
        [...hostile, { type: 'model_text', model: 'a', text: HOSTILE } as const],
      ])
        for (const line of block(events, columns)) expect(widthOf(line)).toBeLessThan(Math.max(2, columns));
    },
  );
});
