import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { CART_FILES, edits, KEYS, modelFlags, SESSION, WRONG_EDIT } from '../support/model-run.ts';
import { ralph } from '../support/ralph.ts';
import {
  HONEST_FIX,
  NODE_TEST_FILES,
  QUICK_FILES,
  repositoryWith,
  temporaryFolder,
  writeFiles,
  type Files,
} from '../support/repositories.ts';
import { serve } from '../support/wire/serve.ts';
import { hasTmux, openPane, type Pane, type PaneOptions } from '../support/tmux.ts';

/** Parts of the live block, which must not be visible after the run. */
const BLOCK = /Ctrl-C finishes|── acting|── evaluating|^ {2}now /m;
/** Control characters other than colour codes. */
// eslint-disable-next-line no-control-regex -- control characters are what this test searches for
const CONTROLS = /\u001B(?!\[[\d;]*m)|[\u0000-\u0008\u000B\u000C\u000E-\u001A]/;

interface PacedRun {
  readonly root: string;
  readonly pane: Pane;
  /** Lets the waiting actor make its repair and end. */
  readonly goOn: () => void;
}

/** A run whose actor prints a text and then waits for a signal to continue. */
function pacedRun(
  options: Pick<PaneOptions, 'columns'> & Partial<PaneOptions>,
  says = 'looking at src/add.js',
  files: Files = QUICK_FILES,
): PacedRun {
  const root = repositoryWith(files);
  const folder = temporaryFolder();
  const gate = join(folder, 'go');
  writeFiles(root, {
    'ralph.config.json': {
      checks: { slow: 'sleep 0.5', ...(files === QUICK_FILES && { tests: 'sh test/check.sh' }) },
    },
  });
  const { args = 'run --max-time 5m', ...rest } = options;
  const act = `printf '${says}\\n'; while [ ! -e '${gate}' ] && [ -d '${folder}' ]; do sleep 0.1; done; ${HONEST_FIX}`;
  writeFileSync(join(folder, 'act.sh'), `${act}\n`);
  const env = {
    ...options.env,
    RALPH_COMMAND: `sh ${join(folder, 'act.sh')}`,
    RALPH_SANDBOX: 'off',
  };
  return { root, pane: openPane({ cwd: root, args, ...rest, env }), goOn: () => writeFileSync(gate, '') };
}

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => pattern.test(line)).length;
}

describe.skipIf(!hasTmux)('a run on a terminal (skipped without tmux)', () => {
  it.each([60, 80, 200])(
    'shows a live block below the log, and a summary at the end, in %i columns',
    async (columns) => {
      const { pane, goOn } = pacedRun({ columns }, undefined, NODE_TEST_FILES);
      await pane.until(/now +looking at src\/add\.js/);
      const lines = pane.screen();
      expect(lines.find((line) => line.includes('── attempt'))).toMatch(
        /^── attempt 1 of 5 ── acting ─+ 0:\d\d ──$/,
      );
      const bar = lines.find((line) => /^. tests /.test(line));
      expect(bar).toMatch(/^✖ tests ━+─+ 1\/3 ×0\.71/);
      expect(lines.join('\n')).toMatch(/^✔ slow {2}━+ ok +×0\.29/m);
      expect(lines.join('\n')).toMatch(/0\.524 at the start/);
      expect(lines.join('\n')).toMatch(/budget time ━─+ 0:\d\d\/5:00/);
      expect(lines.at(-1)).toBe('  Ctrl-C stops and saves · twice stops at once');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(pane.isCursorShown()).toBe(false);

      goOn();
      expect(await pane.exitCode()).toBe(0);
      const text = pane.everything().join('\n');
      expect(text).not.toMatch(BLOCK);
      expect(text).toMatch(/^VERIFIED {2}reward 0\.524 → 1\.000 {2}Every check/m);
      expect(text).toMatch(/^changed +1 file, \+1 −1, in your tree, uncommitted\n +src\/add\.js {2}\+1 −1$/m);
      expect(text).toMatch(/^took +[\d.]+ s, 1 attempt ▁█$/m);
      expect(text).toMatch(/^next +git diff +shows the change$/m);
      expect(pane.isCursorShown()).toBe(true);
    },
  );

  it('leaves no remains of the block when the terminal is resized', async () => {
    const { pane, goOn } = pacedRun({ columns: 100, linesBefore: 30 });
    await pane.until(/now +looking at src\/add\.js/);
    for (const columns of [70, 60, 130, 96, 80, 120, 64]) {
      pane.resize(columns);
      const width = Math.min(79, columns - 1);
      await pane.until(new RegExp(`^── attempt 1.{${width - 14}}──$`, 'm'));
      expect(count(pane.everything(), /── attempt 1/)).toBe(1);
      expect(count(pane.everything(), /looking at/)).toBe(1);
      expect(count(pane.everything(), /Ctrl-C/)).toBe(1);
    }
    goOn();
    expect(await pane.exitCode()).toBe(0);
    expect(pane.everything().join('\n')).not.toMatch(BLOCK);
  });

  it('announces the stop at Ctrl-C and prints the command to resume', async () => {
    const { pane, goOn } = pacedRun({ columns: 80 }, undefined, NODE_TEST_FILES);
    await pane.until(/now +looking at/);
    pane.press('C-c');
    const screen = await pane.until(/Stopping · Ctrl-C again/);
    expect(screen).toMatch(
      /^Stopping; a running agent or command ends first\. Ctrl-C again stops at once\.$/m,
    );
    goOn();
    expect(await pane.exitCode()).toBe(130);
    const text = pane.everything().join('\n');
    expect(text).toMatch(/^ABORTED {2}reward 0\.524 → 0\.524 {2}Stopped on request/m);
    expect(text).toMatch(/^ *(next +)?.*ralph resume ralph-/m);
    expect(text).not.toMatch(BLOCK);
    expect(pane.isCursorShown()).toBe(true);
  });

  it.each([
    ['C-c twice', 130, (pane: Pane): void => (pane.press('C-c'), pane.press('C-c'))],
    ['SIGTERM', 143, (pane: Pane): void => void process.kill(pane.pid(), 'SIGTERM')],
    ['SIGHUP', 143, (pane: Pane): void => void process.kill(pane.pid(), 'SIGHUP')],
  ] as const)('shows the cursor again after %s', async (_name, exitCode, stop) => {
    const { pane } = pacedRun({ columns: 80 });
    await pane.until(/now +looking at/);
    expect(pane.isCursorShown()).toBe(false);
    stop(pane);
    expect(await pane.exitCode()).toBe(exitCode);
    expect(pane.isCursorShown()).toBe(true);
  });

  it('cannot restore the cursor after kill -9 (control for the tests above)', async () => {
    const { pane } = pacedRun({ columns: 80 });
    await pane.until(/now +looking at/);
    process.kill(pane.pid(), 'SIGKILL');
    expect(await pane.exitCode()).toBe(137);
    expect(pane.isCursorShown()).toBe(false);
  });

  it('restores the terminal at Ctrl-Z and redraws the block when it continues', async () => {
    const { pane, goOn } = pacedRun({ columns: 80 }, undefined, NODE_TEST_FILES);
    await pane.until(/now +looking at/);
    process.kill(pane.pid(), 'SIGTSTP');
    await pane.until(/doubles: [^\n]*$/);
    expect(pane.screen().join('\n')).not.toMatch(BLOCK);
    expect(pane.isCursorShown()).toBe(true);
    process.kill(pane.pid(), 'SIGCONT');
    await pane.until(/now +looking at/);
    expect(pane.isCursorShown()).toBe(false);
    goOn();
    expect(await pane.exitCode()).toBe(0);
  });

  it('asks once whether a configuration is trusted, and is refused by any answer but yes', async () => {
    const root = repositoryWith({ ...QUICK_FILES, 'ralph.config.json': { sandbox: 'off' } });
    const env = { XDG_STATE_HOME: temporaryFolder() };
    const open = (): Pane => openPane({ cwd: root, args: 'config show', columns: 100, env });
    for (const [answer, exitCode] of [
      ['n', 2],
      ['y', 0],
    ] as const) {
      const pane = open();
      expect(await pane.until(/Trust it, now and later/)).toContain('sandbox "off"');
      pane.press(answer);
      pane.press('Enter');
      expect(await pane.exitCode()).toBe(exitCode);
    }
    const again = open();
    expect(await again.exitCode()).toBe(0);
    expect(again.everything().join('\n')).not.toContain('Trust it');
  });

  it('shows actions and usage of a model with its budgets, and the lesson in its prompt', async () => {
    const replies = [edits(WRONG_EDIT), { text: 'Done.' }, ...SESSION];
    const server = await serve(replies.map((reply) => ({ ...reply, delayMs: 500 })));
    const root = repositoryWith({
      ...CART_FILES,
      'ralph.config.json': {
        prices: { 'openai-compatible/wire-model': { input: 100, output: 100 } },
        maxCost: 5,
        maxTokens: 100_000,
      },
    });
    const args = `run ${modelFlags(server).join(' ')} --reflector rules --sandbox off`;
    const pane = openPane({ cwd: root, args, columns: 100, env: KEYS });
    await pane.until(/── attempt 1 of 5 ── acting/);
    const screen = await pane.until(/now +src\/cart\.js: read lines/);
    expect(screen).toMatch(/── attempt 2 of 5 ── acting/);
    expect(screen).toMatch(/budget cost ━─+ \$\d\.\d+\/\$5 {3}tokens ━+─+ [\d.]+k\/100k/);
    expect(screen).toMatch(/lesson .*src\/cart\.js[^]*of attempt 1/);
    expect(await pane.exitCode()).toBe(0);
    const text = pane.everything().join('\n');
    expect(text).toMatch(/^took .*2 attempts ▁▁█\nusage {7}[\d,]+ tokens in/m);
    expect(text).toMatch(/^learned {5}\S/m);
    expect(text).not.toMatch(BLOCK);
  });

  it('escapes control sequences in the output of an actor', async () => {
    const { pane, goOn } = pacedRun({ columns: 80 }, 'one \\033[2J\\033]0;owned\\007 \\033[31mred');
    await pane.until(/now +one \\u\{1b\}\[2J\\u\{1b\}\]0;owned/);
    for (const obeyed of ['\u001B[2J', '\u001B]0']) expect(pane.raw()).not.toContain(obeyed);
    goOn();
    expect(await pane.exitCode()).toBe(0);
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CI', { CI: 'true' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('writes plain lines with %s', async (_name, env: Readonly<Record<string, string>>) => {
    const { pane, goOn } = pacedRun({ columns: 80, env });
    goOn();
    expect(await pane.exitCode()).toBe(0);
    expect(pane.raw()).toMatch(/VERIFIED/);
    expect(pane.raw()).not.toMatch(BLOCK);
    expect(pane.raw()).not.toMatch(CONTROLS);
  });

  it('prints only ASCII without a UTF-8 locale', async () => {
    const { pane, goOn } = pacedRun({ columns: 80, env: { LC_ALL: 'C' } }, undefined, NODE_TEST_FILES);
    const screen = await pane.until(/now +looking at/);
    expect(screen).toMatch(/^x tests =+-+ 1\/3 x0\.71/m);
    goOn();
    expect(await pane.exitCode()).toBe(0);
    expect(pane.raw()).not.toMatch(/[^\p{ASCII}]/u);
  });

  it('prints the verdict to stdout and the live block to stderr with --format json', async () => {
    const file = join(temporaryFolder(), 'verdict.json');
    const { pane, goOn } = pacedRun({ columns: 80, args: `run --format json > '${file}'` });
    await pane.until(/now +looking at/);
    goOn();
    expect(await pane.exitCode()).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ verified: true });
    expect(pane.everything().join('\n')).not.toMatch(BLOCK);
  });

  it('prints only the verdict line with --quiet', async () => {
    const { pane, goOn } = pacedRun({ columns: 200, args: 'run --quiet' }, undefined, NODE_TEST_FILES);
    goOn();
    expect(await pane.exitCode()).toBe(0);
    expect(pane.everything()).toEqual([expect.stringMatching(/^VERIFIED {2}reward 0\.524 → 1\.000 /)]);
  });

  it('shows ralph evaluate, too', async () => {
    const root = repositoryWith({
      ...QUICK_FILES,
      'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
      'ralph.config.json': { checks: { slow: 'sleep 2' } },
    });
    const pane = openPane({ cwd: root, args: 'evaluate', columns: 80 });
    const screen = await pane.until(/✔ tests/);
    expect(screen).toMatch(/^── baseline ─+ 0:\d\d ──$/m);
    expect(screen).toMatch(/now +waiting for slow/);
    expect(screen).toMatch(/^ {2}Ctrl-C stops$/m);
    expect(await pane.exitCode()).toBe(0);
    expect(pane.everything().join('\n')).toMatch(/VERIFIED/);
  });
});

describe('a run in a pipe', () => {
  const FIX = ['run', '--command', HONEST_FIX];

  it('prints plain lines without escape codes', async () => {
    const { stdout, stderr } = await ralph(repositoryWith(QUICK_FILES), FIX);
    expect(stdout).toMatch(
      /VERIFIED[^]*next +git diff +shows the change\n +ralph undo ralph-\S+ +reverts the change\n$/,
    );
    expect(stdout + stderr).not.toContain('\u001B');
  });

  it('prints colours with FORCE_COLOR, and no other escape codes', async () => {
    const env = { FORCE_COLOR: '1' };
    const { stdout } = await ralph(repositoryWith(QUICK_FILES), FIX, { env });
    expect(stdout).toContain('\u001B[32m');
    expect(stdout).not.toMatch(CONTROLS);
  });

  it('prints one line to stdout with --quiet, verified or not', async () => {
    const root = repositoryWith(QUICK_FILES);
    const failed = await ralph(root, ['run', '--quiet', '--command', 'true', '--max-iterations', '1']);
    expect(failed.stdout).toMatch(/^NOT VERIFIED {2}reward [^\n]*\n$/);
    expect(failed.exitCode).toBe(1);
    expect((await ralph(root, [...FIX, '--quiet'])).stdout).toMatch(/^VERIFIED {2}reward [^\n]*\n$/);
    expect((await ralph(root, [...FIX, '--quiet'])).stdout).toMatch(
      /^NOTHING TO DO [^\n]*nothing to do\.\n$/,
    );
  });

  it('emits each finished check and the changes against the base with --format jsonl', async () => {
    const { stdout } = await ralph(repositoryWith(NODE_TEST_FILES), [...FIX, '--format', 'jsonl']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events).toContainEqual({
      type: 'check_finished',
      check: expect.objectContaining({
        name: 'tests',
        status: 'fail',
        passed: 1,
        failed: 2,
        total: 3,
      }) as object,
    });
    const judged = events.find(({ type }) => type === 'attempt_evaluated');
    expect(judged).toMatchObject({ changed: [{ path: 'src/add.js', kind: 'modified', linesAdded: 1 }] });
    expect(events.find(({ type }) => type === 'loop_started')).toMatchObject({ limits: {} });
  });

  it('says how to resume if the actor could not run', async () => {
    const root = repositoryWith(QUICK_FILES);
    const { exitCode, stdout, stderr } = await ralph(root, ['run', '--agent', join(root, 'no-such-agent')]);
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/no-such-agent/);
    if (existsSync(join(root, '.aiwg', 'ralph', 'loops')))
      expect(stdout).toMatch(
        /^NOT VERIFIED {2}reward [^]*The loop could not continue[^]*ralph resume ralph-/m,
      );
  });
});
