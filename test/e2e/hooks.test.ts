import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { git, HONEST_FIX, QUICK_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

/** The user's own hook, which runs a file of the tree. */
const IN_GIT = 'code for a hook of the user';

/** Each plants a program that the user's next commit runs; `mark` is the file that it makes. */
const PLANTED: Readonly<Record<string, (mark: string) => string>> = {
  'a hook of core.hooksPath': (mark) =>
    `mkdir -p .githooks && printf '#!/bin/sh\\ntouch ${mark}\\n' > .githooks/pre-commit && chmod +x .githooks/pre-commit`,
  'a hook of husky': (mark) => `printf 'touch ${mark}\\n' > .husky/pre-commit && chmod +x .husky/pre-commit`,
  'a file that the configuration includes': (mark) =>
    `printf '[core]\\n\\tfsmonitor = "touch ${mark}; false"\\n' > team.gitconfig`,
  [IN_GIT]: (mark) => `printf 'touch ${mark}\\n' >> check.sh`,
};

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'a hook of core.hooksPath': ['core.hooksPath', '.githooks'],
  'a hook of husky': ['core.hooksPath', '.husky'],
  'a file that the configuration includes': ['include.path', '../team.gitconfig'],
  [IN_GIT]: ['core.hooksPath', '.git/hooks'],
};

function prepared(name: string): { root: string; mark: string } {
  const root = repositoryWith({
    ...QUICK_FILES,
    '.husky/pre-commit': 'exit 0\n',
    'check.sh': 'true\n',
  });
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\nsh check.sh\n', { mode: 0o755 });
  git(root, 'config', 'user.name', 'User');
  git(root, 'config', 'user.email', 'user@example.invalid');
  git(root, 'config', ...SETTINGS[name]!);
  return { root, mark: join(temporaryFolder(), 'mark') };
}

describe.each(Object.keys(PLANTED))('%s, planted by the actor', (name) => {
  test('does not run at --commit, nor at the next commit of the user if nobody could have seen it', async () => {
    const { root, mark } = prepared(name);
    const command = `${PLANTED[name]!(mark)}; ${HONEST_FIX}`;
    // Without the flag, a changed script that no check needs is refused before anything is committed.
    const flags = ['--max-iterations', '1', '--commit', '--allow', 'check.sh'];
    const run = await ralphRun(root, ['--command', command, ...flags]);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true, applied: 'commit' } });
    expect(existsSync(mark)).toBe(false);
    if (name === IN_GIT) return;
    git(root, 'status');
    git(root, 'commit', '--quiet', '--allow-empty', '--message=next');
    expect(existsSync(mark)).toBe(false);
  });
});

test('with --allow and --sandbox off the planted hook does run (the test can fail)', async () => {
  const name = 'a hook of core.hooksPath';
  const { root, mark } = prepared(name);
  const command = `${PLANTED[name]!(mark)}; ${HONEST_FIX}`;
  const args = ['--command', command, '--max-iterations', '1', '--commit', '--sandbox', 'off'];
  const run = await ralphRun(root, [...args, '--allow', '.githooks']);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(existsSync(mark)).toBe(true);
});
