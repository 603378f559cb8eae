import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROKEN, FILES, FIXED, gateIn } from '../support/gate.ts';
import { ralph } from '../support/ralph.ts';
import { git, temporaryFolder, writeFiles } from '../support/repositories.ts';

const HOOK = '#!/bin/sh\nexec echo mine\n';

describe('ralph gate', () => {
  it('names no model and no attempt where nothing was changed', async () => {
    const { run } = gateIn({ ...FILES, 'src/sums.js': FIXED });
    await run(['start', '--accept', 'grep -q square src/sums.js']);
    const { exitCode, stdout } = await run(['check']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/grep -q square/);
    expect(stdout).not.toMatch(/model|attempt/);
  });

  it('reminds an agent only of what it was told', async () => {
    const { root, run, stop, write } = gateIn({
      ...FILES,
      'package.json': { name: 'sums', type: 'module', scripts: { test: 'node --test && node size.js' } },
      'size.js':
        "import { statSync } from 'node:fs';\nif (statSync('src/sums.js').size > 300) process.exit(1);\n",
      'src/sums.js': FIXED,
    });
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    const long = `${FIXED}// ${'long '.repeat(60)}\n`;
    write('src/sums.js', long);
    expect((await stop()).reason).not.toMatch(/Next step/);
    write('src/sums.js', `${long}\n`);
    const { reason } = await stop();
    expect(reason).toMatch(/exited 1/);
    expect(reason).not.toMatch(/you were told|as the last time/);
  });

  it('says which start it misses, and which are stored', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/extra.js', 'export const extra = 1;\n');
    const missed = /No start of the gate is stored for the session other, only of s1, as if/;
    expect((await stop({ session_id: 'other' })).systemMessage).toMatch(missed);
    expect((await stop({ session_id: 'other' })).systemMessage).toMatch(missed);
    const { stdout, stderr } = await run(['check']);
    expect(stdout + stderr).toMatch(/is stored for a check by hand, only of .*s1.*, as if/);
  });

  it('names a setting of git by which the files are elsewhere', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', BROKEN);
    git(root, 'config', 'core.worktree', temporaryFolder());
    expect(await stop()).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/core\.worktree .* git config --unset core\.worktree/),
    });
  });

  it('lets the first commit go, and only the first', async () => {
    const root = temporaryFolder();
    git(root, 'init', '--quiet');
    writeFiles(root, FILES);
    git(root, 'add', '--all');
    const commit = () => ralph(root, ['gate', 'check', '--hook', 'git']);
    const first = await commit();
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stdout + first.stderr).toMatch(/first commit/);
    git(root, 'commit', '--quiet', '--no-verify', '--message', 'first');
    // A branch without commits beside others is no new repository.
    git(root, 'checkout', '--quiet', '--orphan', 'other');
    expect(await commit()).not.toMatchObject({ exitCode: 0 });
  });
});

describe('ralph init --hooks', () => {
  it('writes what is free, and names each file that is not', async () => {
    const { root, write } = gateIn();
    const hook = join(root, '.git', 'hooks', 'pre-commit');
    write('.opencode/plugins/ralph-gate.js', 'export const mine = 1;\n');
    write('.git/hooks/pre-commit', HOOK);
    chmodSync(hook, 0o755);
    const { exitCode, stdout, stderr } = await ralph(root, ['init', '--hooks', 'opencode', 'git', 'claude']);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/pre-push {2}written/);
    expect(stdout).toMatch(/pre-commit {2}not changed/);
    expect(stdout).toMatch(/settings\.json {2}written/);
    expect(stderr).toMatch(/ralph-gate\.js was not changed/);
    expect(stderr).toMatch(/pre-commit was not changed/);
  });
});
