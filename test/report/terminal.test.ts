import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import type { Screen } from '../../src/report/screen.ts';
import { createTerminalReporter, type NextSteps } from '../../src/report/terminal.ts';
import type { RunEvent } from '../../src/events.ts';
import { evaluation, failure, loopOptions, scriptedLoop } from '../support/scripted.ts';

const chalk = new Chalk({ level: 0 });

/** Lines as printed where nothing is fitted to a terminal, and the events that a live view is told of. */
async function shown(
  name = 'test 0',
  how: { next?: NextSteps } = {},
): Promise<{ lines: string[]; told: RunEvent[] }> {
  const lines: string[] = [];
  const told: RunEvent[] = [];
  const reporter = createTerminalReporter({
    chalk,
    screen: {
      print: ({ head, text }) => void lines.push(`${head}${text}`),
      release: (use) => use(),
      close: () => undefined,
    },
    live: { on: (event) => void told.push(event) },
    verbose: false,
    ...how,
  });
  const red = evaluation(3, 4, { diagnostics: [{ ...failure(0), rule: name }] });
  const loop = scriptedLoop({
    edits: ['worse', 'good'],
    judge: (tree) => (tree === 'good' ? evaluation(4, 4) : red),
  });
  await runLoop({ ...loop.ports, emit: (event) => reporter.on(event) }, loopOptions());
  return { lines, told };
}

describe('the terminal reporter', () => {
  it('prints baseline, attempts, reflections, verdict and receipt', async () => {
    const { lines } = await shown();
    const text = lines.join('\n');
    expect(text).toMatch(/baseline +reward 0\.750 +tests 3\/4/);
    expect(text).toMatch(
      /reflection +\.aiwg\/ralph\/reflections\/[^]*logic_error \(confidence 0\.50\): cause 1[^]*next: next after 1/,
    );
    expect(text).toMatch(/reward 1\.000 ▲ \+0\.250 best/);
    expect(text).toMatch(/VERIFIED +reward 0\.750 → 1\.000 [^]*tests +4\/4 passed +1\.00 × 1\.000 = 1\.000/);
  });

  it.each([
    [true, 'ok', ['memory      micro-reflection: 1 saved']],
    [true, 'skipped', []],
    [false, 'ok', []],
  ] as const)('says what a pass of memory came to; verbose: %s, %s', (verbose, status, expected) => {
    const lines: string[] = [];
    const screen: Screen = {
      print: ({ head, text }) => void lines.push(`${head}${text}`),
      release: (use) => use(),
      close: () => undefined,
    };
    const reporter = createTerminalReporter({ chalk, screen, live: { on: () => undefined }, verbose });
    reporter.on({ type: 'memory_pass', pass: 'micro_reflection', status, reason: '1 saved', stats: {} });
    expect(lines).toEqual(expected);
  });

  it('shows why a runner ended early, also where the failure has a file', () => {
    const lines: string[] = [];
    const screen: Screen = {
      print: ({ text }) => void lines.push(text),
      release: (use) => use(),
      close: () => undefined,
    };
    const reporter = createTerminalReporter({ chalk, screen, live: { on: () => undefined }, verbose: false });
    const { test_id: _, ...crash } = {
      ...failure(0),
      type: 'runtime_error' as const,
      rule: '(file)',
      message: "mocha ended.\nCannot find module 'vinyl'",
    };
    reporter.on({ type: 'baseline_evaluated', evaluation: evaluation(0, 1, { diagnostics: [crash] }) });
    expect(lines.join('\n')).toMatch(/\(file\): mocha ended\.\n +Cannot find module 'vinyl'/);
  });

  it('ends with changes, lessons, duration and next commands', async () => {
    const text = (await shown()).lines.join('\n');
    expect(text).toMatch(/changed +1 file, \+1 −1, in your tree, uncommitted\n +src\/file\.ts {2}\+1 −1/);
    expect(text).toMatch(/learned +cause 1 \(attempt 1\)/);
    expect(text).toMatch(/took .*2 attempts ▁▁█/);
    expect(text).toMatch(/next +git diff/);
  });

  it('leaves the commands out that do not hold where the lines are read', async () => {
    const text = (await shown('test 0', { next: () => [] })).lines.join('\n');
    expect(text).toMatch(/took .*2 attempts/);
    expect(text).not.toMatch(/git diff|ralph undo/);
  });

  it('passes all events to the live view, without control characters', async () => {
    const { told } = await shown('evil \u001b]0;title\u0007');
    expect(told.map(({ type }) => type)).toContain('attempt_started');
    expect(JSON.stringify(told)).not.toContain('\\u001b');
  });

  it('makes control characters visible', async () => {
    const { lines } = await shown('evil \u001b]0;title\u0007\u202e\r name');
    const text = lines.join('\n');
    expect(text).toContain('evil \\u{1b}]0;title\\u{7}\\u{202e}\\u{d} name');
    // eslint-disable-next-line no-control-regex -- exactly these are looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
