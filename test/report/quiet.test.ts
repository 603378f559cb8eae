import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import { createQuietReporter } from '../../src/report/quiet.ts';
import { evaluation, loopOptions, scriptedLoop } from '../support/scripted.ts';

describe('--quiet', () => {
  it('prints the verdict line, and warnings separately', async () => {
    const [printed, aside]: [string[], string[]] = [[], []];
    const reporter = createQuietReporter({
      chalk: new Chalk({ level: 0 }),
      print: (line) => void printed.push(line),
      warn: (line) => void aside.push(line),
    });
    const loop = scriptedLoop({
      edits: ['good'],
      judge: (tree) => evaluation(tree === 'good' ? 4 : 3, 4),
      delivery: {
        applied: 'branch',
        branch: 'ralph/x',
        conflict: true,
        message: 'It is on \u001b[2Jralph/x.',
      },
    });
    await runLoop({ ...loop.ports, emit: (event) => reporter.on(event) }, loopOptions());
    reporter.on({ type: 'warning', text: 'No sandbox.' });
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/^VERIFIED {2}reward 0\.750 → 1\.000 {2}Every check passed/);
    expect(aside).toEqual(['It is on \\u{1b}[2Jralph/x.', 'No sandbox.']);
  });

  it('prints one line for an aborted loop', () => {
    const printed: string[] = [];
    const print = (line: string): void => void printed.push(line);
    const reporter = createQuietReporter({ chalk: new Chalk({ level: 0 }), print, warn: print });
    reporter.on({ type: 'loop_failed', status: 'aborted', message: 'Stopped.' });
    expect(printed).toEqual(['ABORTED  Stopped immediately; every finished step is saved.']);
  });
});
