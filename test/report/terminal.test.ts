import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import { createTerminalReporter } from '../../src/report/terminal.ts';
import { evaluation, failure, loopOptions, scriptedLoop } from '../support/scripted.ts';

/** Lines as printed, and what was said to happen meanwhile. */
async function shown(
  options: { quiet?: boolean; verbose?: boolean } = {},
  name = 'test 0',
): Promise<{ lines: string[]; meanwhile: string[] }> {
  const lines: string[] = [];
  const meanwhile: string[] = [];
  const screen = {
    print: (text: string) => void lines.push(text),
    now: (text: string) => void meanwhile.push(text),
    close: () => undefined,
  };
  const reporter = createTerminalReporter({
    chalk: new Chalk({ level: 0 }),
    screen,
    quiet: false,
    verbose: false,
    ...options,
  });
  const red = evaluation(3, 4, { diagnostics: [{ ...failure(0), rule: name }] });
  const loop = scriptedLoop({
    edits: ['worse', 'good'],
    judge: (tree) => (tree === 'good' ? evaluation(4, 4) : red),
  });
  await runLoop({ ...loop.ports, emit: (event) => reporter.on(event) }, loopOptions());
  return { lines, meanwhile };
}

describe('the terminal reporter', () => {
  it('tells baseline, attempts, reflections, verdict and receipt', async () => {
    const { lines } = await shown();
    const text = lines.join('\n');
    expect(text).toMatch(/baseline +reward 0\.750 +tests 3\/4/);
    expect(text).toMatch(
      /reflection +\.aiwg\/ralph\/reflections\/[^]*logic_error \(confidence 0\.50\): cause 1[^]*next: next after 1/,
    );
    expect(text).toMatch(/reward 1\.000 ▲ \+0\.250 best/);
    expect(text).toMatch(/VERIFIED +reward 0\.750 → 1\.000 [^]*tests +4\/4 passed +1\.00 × 1\.000 = 1\.000/);
  });

  it('says which attempt runs, and at which reward, while it runs', async () => {
    const { meanwhile } = await shown();
    expect(meanwhile).toContain('baseline: running every check');
    expect(meanwhile).toContain('attempt 2, reward 0.750: begins, told of attempt 1');
  });

  it('prints the verdict alone when it is to be quiet', async () => {
    const { lines } = await shown({ quiet: true });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^VERIFIED/);
  });

  it('shows what a terminal would obey instead of obeying it', async () => {
    const { lines } = await shown({}, 'evil \u001b]0;title\u0007\u202e\r name');
    const text = lines.join('\n');
    expect(text).toContain('evil \\u{1b}]0;title\\u{7}\\u{202e}\\u{d} name');
    // eslint-disable-next-line no-control-regex -- exactly these are looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
