import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/schema/generated.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
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

function survivors(): string {
  try {
    return execaSync('pgrep', ['-f', 'sleep 4242']).stdout;
  } catch {
    return '';
  }
}

describe('Ctrl-C', () => {
  it('once: the running step is finished and saved, and resume continues after it', async () => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const paced = `echo started; sleep 1; ${HONEST_FIX}`;
    const stopped = await ralph(root, ['run', '--format', 'jsonl', '--command', paced], {
      when: [['attempt_started', (child) => void child.kill('SIGINT')]],
    });
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toMatch(/Stopping once this step is saved/);
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

  it('twice: running processes are killed with all children, and the step is not recorded', async () => {
    const root = repositoryWith(QUICK_FILES);
    const before = fingerprintOf(root);
    const stopped = await ralph(root, ['run', '--format', 'jsonl', '--command', SLOW], {
      when: [
        ['"text":"started"', (child) => void child.kill('SIGINT')],
        ['Stopping once', (child) => void child.kill('SIGINT')],
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
