import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/schema/validate.ts';
import { SANDBOX_ENVIRONMENT } from '../support/bubblewrap.ts';
import { PROGRAM, ralph, ralphRun } from '../support/ralph.ts';
import {
  HONEST_FIX,
  NODE_TEST_FILES,
  QUICK_FILES,
  fingerprintOf,
  git,
  repositoryWith,
  writeFiles,
} from '../support/repositories.ts';

describe('the verdict', () => {
  it('is 0 for an honest fix, which is applied to the tree, uncommitted', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict, stderr } = await ralphRun(root, ['--command', HONEST_FIX]);
    expect(stderr).not.toMatch(/ralph:/);
    expect(exitCode).toBe(0);
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
    expect(verdict).toMatchObject({
      status: 'passed',
      verified: true,
      reward: 1,
      iterations: 1,
      applied: 'tree',
      best_iteration: 1,
    });
    expect(git(root, 'diff', '--stat')).toMatch(
      /src\/add\.js .*1 file changed, 1 insertion\(\+\), 1 deletion\(-\)/s,
    );
    expect(git(root, 'log', '--oneline').trim().split('\n')).toHaveLength(1);
  });

  it.each(['json', 'jsonl'])('may be written to a file of the repository, as %s', async (format) => {
    const root = repositoryWith(QUICK_FILES);
    const args = ['run', '--format', format, '--command', HONEST_FIX];
    const { exitCode, stderr } = await execa(process.execPath, [PROGRAM, ...args], {
      cwd: root,
      env: SANDBOX_ENVIRONMENT,
      stdin: 'ignore',
      stdout: { file: join(root, 'verdict.json') },
      reject: false,
    });
    expect(stderr).not.toMatch(/was not touched/);
    expect(exitCode).toBe(0);
    expect(git(root, 'diff', '--name-only')).toBe('src/add.js\n');
    const last = readFileSync(join(root, 'verdict.json'), 'utf8').trim().split('\n').at(-1)!;
    expect(last).toMatch(/"applied": ?"tree"/);
  });

  it('is 1 for an actor that only claims success', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const { exitCode, verdict } = await ralphRun(root, ['--command', 'echo "All tests pass now."']);
    expect(exitCode).toBe(1);
    expect(verdict.reason).toMatch(/The program ended with exit code 0, but it changed nothing/);
    expect(verdict.reason).toMatch(/2 of 3 failed|3 of 3 failed/);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('is 1 for an actor that weakens the tests, and names the files', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const gut =
      "printf \"import { test } from 'node:test';\\ntest('adds', () => {});\\n\" > test/add.test.js";
    const { exitCode, verdict } = await ralphRun(root, ['--command', gut, '--max-iterations', '2']);
    expect(exitCode).toBe(1);
    expect(verdict.attempts[0]!.tampering).toMatchObject([
      { kind: 'protected_edited', file: 'test/add.test.js' },
    ]);
    expect(verdict.reason).toMatch(/test\/add\.test\.js.*restored/);
    expect(verdict.reward).toBe(verdict.baseline_reward);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('is 1 for an actor that deletes the tests', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict } = await ralphRun(root, ['--command', 'rm -r test', '--max-iterations', '1']);
    expect(exitCode).toBe(1);
    expect(verdict.attempts[0]!.tampering).toMatchObject([
      { kind: 'protected_deleted', file: 'test/add.test.js' },
    ]);
  });

  it('is 1 for an actor that sets the test script to exit 0', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict } = await ralphRun(root, [
      '--command',
      "sed -i 's/node --test/exit 0/' package.json",
      '--max-iterations',
      '1',
    ]);
    expect(exitCode).toBe(1);
    expect(verdict.attempts[0]!.tampering).toMatchObject([{ kind: 'manifest_edited', file: 'package.json' }]);
    expect(verdict.reason).toMatch(/package\.json/);
  });

  it('is 1 when the code ends the test process with exit code 0', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode } = await ralphRun(root, [
      '--command',
      "printf 'process.exit(0);\\n' > src/add.js",
      '--max-iterations',
      '1',
    ]);
    expect(exitCode).toBe(1);
  });

  it('accepts an honest fix with edited tests: the tests are restored and the attempt is marked', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict } = await ralphRun(root, [
      '--command',
      `${HONEST_FIX}; echo '// hello' >> test/add.test.js`,
    ]);
    expect(exitCode).toBe(0);
    expect(verdict.attempts[0]!.tampering).toHaveLength(1);
    expect(git(root, 'diff', '--name-only').trim()).toBe('src/add.js');
  });

  it('lets a task change protected files with --allow', async () => {
    const root = repositoryWith(QUICK_FILES);
    const both = `${HONEST_FIX}; echo '# hello' >> test/check.sh`;
    const { exitCode, verdict } = await ralphRun(root, ['--command', both, '--allow', 'test/**']);
    expect(exitCode).toBe(0);
    expect(verdict.attempts[0]!.tampering).toEqual([]);
    expect(git(root, 'diff', '--name-only').trim().split('\n')).toEqual(['src/add.js', 'test/check.sh']);
  });

  it('is 0 without an attempt if every check passes and there is no task', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
    });
    expect((await ralphRun(root, ['--command', 'false'])).verdict).toMatchObject({
      status: 'nothing_to_do',
      verified: true,
      iterations: 0,
    });
  });

  it('keeps the best attempt, not the last', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const partly =
      'if [ "$RALPH_ITERATION" = 1 ]; then printf "export const add = (a, b) => (b === 0 ? a : a + b);\\nexport const twice = () => 0;\\n" > src/add.js; else printf "export const add = () => 0;\\nexport const twice = () => 0;\\n" > src/add.js; fi';
    const { exitCode, verdict } = await ralphRun(root, ['--command', partly, '--max-iterations', '2']);
    expect(exitCode).toBe(1);
    expect(verdict).toMatchObject({ best_iteration: 1, reward: 2 / 3 });
    expect(readFileSync(join(root, verdict.patch!), 'utf8')).toContain('b === 0');
    await ralph(root, ['apply']);
    expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toContain('b === 0');
    await ralph(root, ['undo']);
    expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  it('includes uncommitted and untracked files, and does not overwrite a file that changed meanwhile', async () => {
    const root = repositoryWith(QUICK_FILES);
    writeFiles(root, {
      'src/extra.js': 'export const extra = 1;\n',
      'test/check.sh': `${readFileSync(join(root, 'test/check.sh'), 'utf8')}# mine\n`,
    });
    const move = `${HONEST_FIX}; test -f src/extra.js; echo '// moved' >> ${join(root, 'src/add.js')}`;
    // Inside the sandbox the command could not change the user's tree.
    const { exitCode, verdict } = await ralphRun(root, ['--command', move, '--sandbox', 'off']);
    expect(exitCode).toBe(4);
    expect(verdict).toMatchObject({ verified: true, applied: 'branch', branch: `ralph/${verdict.loop_id}` });
    expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toMatch(/a - b[^]*moved/);
    expect(git(root, 'show', `${verdict.branch}:src/add.js`)).toContain('a + b');
  });

  it('is 3 when the time budget is used up', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict } = await ralphRun(root, ['--command', 'sleep 60', '--max-time', '1500ms']);
    expect(exitCode).toBe(3);
    expect(verdict).toMatchObject({ status: 'budget', verified: false });
  });
});
