import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/schema/generated.ts';
import { ralph, ralphRun, type RunningRalph } from '../support/ralph.ts';
import {
  HONEST_FIX,
  NODE_TEST_FILES,
  QUICK_FILES,
  fingerprintOf,
  git,
  repositoryWith,
  temporaryFolder,
} from '../support/repositories.ts';

/** Leaves a child process with its own session behind, as a careless agent would. */
const SLOW = 'echo started; setsid sleep 4242 & sleep 30';

/** A test of `NODE_TEST_FILES` that takes its time in each trial. */
const SLOW_TEST = [
  "import assert from 'node:assert/strict';",
  "import { test } from 'node:test';",
  "import { twice } from '../src/add.js';",
  "test('doubles after a while', async () => {",
  '  await new Promise((resolve) => setTimeout(resolve, 300));',
  '  assert.equal(twice(21), 42);',
  '});\n',
].join('\n');

/** Presses Ctrl-C as soon as the file is there. */
function interruptAt(child: RunningRalph, path: string): void {
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    clearInterval(timer);
    child.kill('SIGINT');
  }, 20);
}

/** Names of the finished steps of the only loop. */
function stepsOf(root: string): string[] {
  const loops = join(root, '.aiwg', 'ralph', 'loops');
  const [loop] = readdirSync(loops);
  const lines = readFileSync(join(loops, loop!, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => (JSON.parse(line) as { step: string }).step);
}

function survivors(): string {
  try {
    return execaSync('pgrep', ['-f', 'sleep 4242']).stdout;
  } catch {
    return '';
  }
}

describe('Ctrl-C', () => {
  it('once: the attempt of a command is finished and saved, and resume continues after it', async () => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const paced = `echo started; sleep 1; ${HONEST_FIX}`;
    const stopped = await ralph(root, ['run', '--format', 'jsonl', '--command', paced], {
      when: [['attempt_started', (child) => void child.kill('SIGINT')]],
    });
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toMatch(/Stopping; a running agent or command ends first/);
    const verdict = finalVerdict(stopped.stdout);
    expect(verdict).toMatchObject({ status: 'aborted', verified: false });
    expect(fingerprintOf(root)).toBe(before);

    const resumed = await ralph(root, ['resume', '--format', 'json']);
    expect(resumed.exitCode).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      loop_id: verdict.loop_id,
      verified: true,
      iterations: 1,
    });
    expect(git(root, '--no-optional-locks', 'status', '--short', '--untracked-files=no')).toBe(
      ' M src/add.js\n',
    );
  });

  it.each([
    ['the baseline', 'baseline_started', ['start']],
    ['the evaluation of an attempt', 'evaluation_started', ['start', 'baseline', '1:act']],
  ] as const)('once cuts off %s with its processes, and resume makes it again', async (_, event, steps) => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const folder = temporaryFolder();
    const [block, waits] = [join(folder, 'block'), join(folder, 'waits')];
    // While the file is there, the check does not end, and has a child that nobody waits for.
    const endless = `test ! -e ${block} || { touch ${waits}; setsid sleep 4242 & sleep 4242; }`;
    const args = [
      '--format',
      'jsonl',
      '--sandbox-write',
      folder,
      '--check',
      `tests=${endless}; sh test/check.sh`,
    ];
    const isAtBaseline = event === 'baseline_started';
    if (isAtBaseline) writeFileSync(block, '');
    const actor = isAtBaseline ? HONEST_FIX : `touch ${block}; ${HONEST_FIX}`;
    const stopped = await ralph(root, ['run', ...args, '--command', actor], {
      when: [[`"type":"${event}"`, (child) => interruptAt(child, waits)]],
    });
    expect(stopped.exitCode).toBe(130);
    expect(survivors()).toBe('');
    expect(fingerprintOf(root)).toBe(before);
    expect(stepsOf(root).filter((step) => !/withhold|conclude/.test(step))).toEqual(steps);
    expect((await ralph(root, ['status'])).stdout).toMatch(/aborted[^]*continue {4}ralph resume/);

    rmSync(block);
    const resumed = await ralph(root, ['resume', '--format', 'json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ verified: true, iterations: 1 });
  });

  it.each(['tracing ', 'trying '])('once cuts off the search that says "%s…"', async (text) => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'test/slow.test.js': SLOW_TEST });
    const before = fingerprintOf(root);
    const stopped = await ralph(root, ['run', '--format', 'jsonl'], {
      when: [[`"text":"${text}`, (child) => void child.kill('SIGINT')]],
    });
    expect(stopped.exitCode).toBe(130);
    expect(finalVerdict(stopped.stdout)).toMatchObject({ status: 'aborted', iterations: 0 });
    expect(fingerprintOf(root)).toBe(before);
    expect(stepsOf(root)).not.toContain('1:act');
    const resumed = await ralph(root, ['resume', '--format', 'json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ iterations: 1, verified: true });
  });

  it('twice: running processes are killed with all children, and the step is not recorded', async () => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const stopped = await ralph(root, ['run', '--format', 'jsonl', '--command', SLOW], {
      when: [
        ['"text":"started"', (child) => void child.kill('SIGINT')],
        ['Stopping;', (child) => void child.kill('SIGINT')],
      ],
    });
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toMatch(/ralph resume ralph-/);
    expect(survivors()).toBe('');
    expect(fingerprintOf(root)).toBe(before);
    expect((await ralph(root, ['status'])).stdout).toMatch(/aborted[^]*continue {4}ralph resume/);
  });

  it.each(['baseline_started', 'evaluation_started', 'reflection_written'])(
    'at %s leaves the tree as it was and a loop that resumes',
    async (stage) => {
      const root = repositoryWith(QUICK_FILES);
      const before = fingerprintOf(root);
      const stopped = await ralph(
        root,
        ['run', '--format', 'jsonl', '--command', 'echo "// no" >> src/add.js'],
        {
          when: [[stage, (child) => void child.kill('SIGINT')]],
        },
      );
      expect(stopped.exitCode).toBe(130);
      expect(fingerprintOf(root)).toBe(before);
      const resumed = await ralph(root, ['resume', '--format', 'json', '--max-iterations', '2']);
      expect(JSON.parse(resumed.stdout)).toMatchObject({ verified: false });
      expect(resumed.exitCode).toBe(1);
    },
  );
});

describe('kill -9', () => {
  it.each(['baseline_evaluated', 'actor_finished', 'attempt_evaluated', 'reflection_written'])(
    'at %s: resume finishes, and the actor runs no attempt twice',
    async (stage) => {
      // One stage with a test runner, whose proofs follow after the resume.
      const root = repositoryWith(stage === 'attempt_evaluated' ? NODE_TEST_FILES : QUICK_FILES);
      const before = fingerprintOf(root);
      const folder = temporaryFolder();
      const log = join(folder, 'attempts.log');
      const actor = `echo $RALPH_ITERATION >> ${log}; test $RALPH_ITERATION = 1 && echo "// no" >> src/add.js || ${HONEST_FIX}`;
      const open = ['--sandbox-write', folder];
      await ralph(root, ['run', '--format', 'jsonl', ...open, '--command', actor], {
        when: [[stage, (child) => void child.kill('SIGKILL')]],
      });
      expect(fingerprintOf(root)).toBe(before);
      const resumed = await ralph(root, ['resume', '--format', 'json']);
      expect(resumed.exitCode).toBe(0);
      expect(JSON.parse(resumed.stdout)).toMatchObject({ verified: true, iterations: 2 });
      expect(readFileSync(log, 'utf8')).toBe('1\n2\n');
    },
  );
});

describe.each(['SIGTERM', 'SIGHUP'] as const)('%s', (name) => {
  it('stops at once with exit code 143, and the loop can be resumed', async () => {
    const root = repositoryWith(QUICK_FILES);
    const stopped = await ralph(root, ['run', '--format', 'jsonl', '--command', SLOW], {
      when: [['"text":"started"', (child) => void child.kill(name)]],
    });
    expect(stopped.exitCode).toBe(143);
    expect(stopped.stderr).toMatch(/ralph resume ralph-/);
    expect(survivors()).toBe('');
  });
});

describe('in-place', () => {
  it('edits the tree itself, and restores it if no attempt is verified', async () => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const failed = await ralphRun(root, [
      '--isolation',
      'in-place',
      '--command',
      'echo "// no" >> src/add.js',
      '--max-iterations',
      '1',
    ]);
    expect(failed.exitCode).toBe(1);
    expect(fingerprintOf(root)).toBe(before);
    const fixed = await ralphRun(root, ['--isolation', 'in-place', '--command', HONEST_FIX]);
    expect(fixed).toMatchObject({ exitCode: 0, verdict: { applied: 'tree' } });
    expect(git(root, '--no-optional-locks', 'status', '--short', '--untracked-files=no')).toBe(
      ' M src/add.js\n',
    );
    expect((await ralph(root, ['undo'])).exitCode).toBe(0);
    expect(fingerprintOf(root)).toBe(before);
  });
});

function finalVerdict(lines: string): Verdict {
  const last = lines.trim().split('\n').at(-1)!;
  return (JSON.parse(last) as { verdict: Verdict }).verdict;
}
