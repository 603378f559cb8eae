import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fingerprint,
  git,
  openWorkspace,
  temporaryFolder,
  temporaryRepository,
  write,
} from './temporary-repository.ts';

const QUESTIONS = [
  ['log', '--format=%H %s'],
  ['status', '--short'],
  ['diff'],
  ['diff', '--cached'],
  ['show', 'HEAD'],
  ['blame', 'a.js'],
  ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'],
  ['ls-files', '--stage'],
  ['describe', '--tags', '--always'],
  ['for-each-ref'],
];

/** A repository with two commits, a tag, a staged, an uncommitted and an untracked change. */
function changedRepository(): string {
  const root = temporaryRepository({ 'a.js': '1\n', 'b.js': '1\n', '.gitignore': '.aiwg\n' });
  write(root, { 'a.js': '1\n2\n' });
  git(root, 'commit', '--quiet', '--all', '--message', 'second');
  git(root, 'tag', 'v1');
  write(root, { 'staged.js': '1\n', 'b.js': 'changed\n', 'new.js': '1\n' });
  git(root, 'add', 'staged.js');
  return root;
}

function answers(root: string): string[] {
  return QUESTIONS.map((args) => git(root, ...args));
}

describe('history in the workspace', () => {
  test('git answers as in the user’s repository', async () => {
    const root = changedRepository();
    const { workspace } = await openWorkspace(root);
    expect(answers(workspace.root)).toEqual(answers(root));
  });

  test('remotes are there without credentials, and are not pushed to', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const bare = join(temporaryFolder(), 'bare.git');
    git(root, 'clone', '--quiet', '--bare', root, bare);
    git(root, 'remote', 'add', 'origin', 'https://ann:secret@example.com/a/b.git');
    git(root, 'remote', 'add', 'near', bare);
    const { workspace } = await openWorkspace(root);
    expect(git(workspace.root, 'remote', 'get-url', 'origin')).toBe('https://example.com/a/b.git\n');
    expect(git(workspace.root, 'ls-remote', '--heads', 'near')).toContain('refs/heads/');
    expect(() => git(workspace.root, 'push', 'near', 'HEAD:refs/heads/pushed')).toThrow(/does-not-push/);
    expect(git(bare, 'branch', '--list', 'pushed')).toBe('');
  });

  test('git diff shows an edit, and restore and checkpoint replace what was done to .git', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    write(workspace.root, { 'a.js': '2\n' });
    expect(git(workspace.root, 'diff')).toContain('+2');
    git(
      workspace.root,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b.c',
      'commit',
      '--quiet',
      '--all',
      '-m',
      'by an actor',
    );
    git(workspace.root, 'config', 'core.fsmonitor', 'false');
    await workspace.checkpoint();
    expect(git(workspace.root, 'log', '--format=%s')).toBe('start\n');
    expect(git(workspace.root, 'status', '--short')).toBe(' M a.js\n');
    expect(readFileSync(join(workspace.root, '.git/config'), 'utf8')).not.toContain('fsmonitor');
    git(workspace.root, 'init', '--quiet', '--separate-git-dir', join(temporaryFolder(), 'git'));
    await workspace.restore(workspace.base);
    expect(git(workspace.root, 'status', '--short')).toBe('');
  });

  test.each(['detached HEAD', 'linked worktree', 'sha256', 'shallow', 'alternates', 'split index'])(
    'works in a repository with %s',
    async (kind) => {
      const source = changedRepository();
      const other = join(temporaryFolder(), 'other');
      let root = other;
      if (kind === 'detached HEAD') git((root = source), 'checkout', '--quiet', '--detach');
      if (kind === 'linked worktree') git(source, 'worktree', 'add', '--quiet', other, '-b', 'side/one');
      if (kind === 'shallow') git(source, 'clone', '--quiet', '--depth=1', `file://${source}`, other);
      if (kind === 'alternates') git(source, 'clone', '--quiet', '--shared', source, other);
      if (kind === 'split index') git((root = source), 'update-index', '--split-index');
      if (kind === 'sha256') {
        mkdirSync(other);
        git(other, 'init', '--quiet', '--object-format=sha256', '--initial-branch=main');
        write(other, { 'a.js': '1\n', '.gitignore': '.aiwg\n' });
        git(other, 'add', '.');
        git(other, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'x');
      }
      const { workspace } = await openWorkspace(root);
      expect(answers(workspace.root)).toEqual(answers(root));
    },
  );

  test('nothing that is done there reaches the user’s repository, and ralph runs none of it', async () => {
    const root = changedRepository();
    const { workspace, snapshots } = await openWorkspace(root);
    const before = fingerprint(root);
    const mark = join(temporaryFolder(), 'mark');
    const act = (script: string) =>
      execFileSync('sh', ['-c', script], { cwd: workspace.root, stdio: 'pipe' });
    write(workspace.root, { 'a.js': 'actor\n' });
    act(`git config user.name a; git config user.email a@b.c; git commit -qam x; git tag -f v1; git branch -f side
      git gc --quiet --prune=now; git repack -adq; git prune; git reflog expire --expire=now --all
      git push -q origin main || true; git update-ref -d refs/tags/v1; git rm -q --cached b.js`);
    act(`printf '#!/bin/sh\\ntouch ${mark}\\n' > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change
      git config core.fsmonitor 'touch ${mark}'; git config filter.x.clean 'touch ${mark}; cat'
      git config diff.external 'touch ${mark}'; echo '* filter=x' > .git/info/attributes`);
    const tree = await workspace.checkpoint();
    const { files } = await workspace.changes(workspace.base, tree);
    await workspace.restore(workspace.base);
    expect(files.map(({ path }) => path)).toEqual(['a.js']);
    expect(fingerprint(root)).toEqual(before);
    expect(existsSync(mark)).toBe(false);
    expect((await snapshots.listFiles(tree)).some(({ path }) => path.startsWith('.git/'))).toBe(false);
    expect(answers(workspace.root)).toEqual(answers(root));
  });

  test('the planted program does run where git trusts that configuration', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    const mark = join(temporaryFolder(), 'mark');
    git(workspace.root, 'config', 'core.fsmonitor', `touch ${mark}`);
    git(workspace.root, 'status');
    expect(existsSync(mark)).toBe(true);
  });
});
