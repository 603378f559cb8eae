/** Repositories with an unfinished operation of git. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, git, gitExpectingStop, repository, run, write, type Testbed } from '../testbed.ts';
import { inFullOnly, type Kind } from '../kind.ts';

/** A repository with two branches that change the same line; `main` is checked out. */
function forked(testbed: Testbed): string {
  const root = repository(testbed, { ...ADDER, 'notes.txt': 'one\n' });
  git(testbed, root, 'switch', '--quiet', '--create', 'other');
  write(root, { 'notes.txt': 'two\n' });
  commit(testbed, root, 'two');
  git(testbed, root, 'switch', '--quiet', 'main');
  write(root, { 'notes.txt': 'three\n' });
  commit(testbed, root, 'three');
  return root;
}

function stoppedAt(name: string, args: readonly string[], messages: readonly RegExp[]): Kind {
  return {
    name: `${name} in progress`,
    make(testbed) {
      const root = forked(testbed);
      gitExpectingStop(testbed, root, ...args);
      return { cwd: root, expected: { exitCode: 4, messages } };
    },
  };
}

export const UNFINISHED: readonly Kind[] = [
  stoppedAt('merge', ['merge', 'other'], [/a merge is in progress/, /git merge --abort/]),
  stoppedAt('rebase', ['rebase', 'other'], [/a rebase is in progress/, /git rebase --abort/]),
  inFullOnly(
    stoppedAt(
      'rebase by patches',
      ['rebase', '--apply', 'other'],
      [/a rebase is in progress/, /git rebase --abort/],
    ),
  ),
  stoppedAt(
    'cherry-pick',
    ['cherry-pick', 'other'],
    [/a cherry-pick is in progress/, /git cherry-pick --abort/],
  ),
  {
    name: 'am in progress',
    make(testbed) {
      const root = forked(testbed);
      run(
        testbed,
        root,
        'sh',
        '-c',
        `git format-patch -1 --stdout other > ${join(testbed.home, 'one.patch')}`,
      );
      gitExpectingStop(testbed, root, 'am', join(testbed.home, 'one.patch'));
      return { cwd: root, expected: { exitCode: 4, messages: [/git am is in progress/, /git am --abort/] } };
    },
  },
  {
    name: 'revert in progress',
    make(testbed) {
      const root = forked(testbed);
      git(testbed, root, 'revert', '--no-commit', 'HEAD');
      return {
        cwd: root,
        expected: { exitCode: 4, messages: [/a revert is in progress/, /git revert --abort/] },
      };
    },
  },
  {
    name: 'bisect in progress',
    make(testbed) {
      const root = forked(testbed);
      git(testbed, root, 'bisect', 'start', 'HEAD', 'HEAD~1');
      return {
        cwd: root,
        expected: { exitCode: 4, messages: [/a bisect is in progress/, /git bisect reset/] },
      };
    },
  },
  {
    name: 'conflicts of a stash',
    make(testbed) {
      const root = forked(testbed);
      write(root, { 'notes.txt': 'mine\n' });
      git(testbed, root, 'stash');
      git(testbed, root, 'reset', '--quiet', '--hard', 'other');
      gitExpectingStop(testbed, root, 'stash', 'pop');
      return { cwd: root, expected: { exitCode: 4, messages: [/unresolved conflicts/, /git add/] } };
    },
  },
  {
    name: 'conflicts without MERGE_HEAD',
    fullOnly: true,
    make(testbed) {
      const root = forked(testbed);
      gitExpectingStop(testbed, root, 'merge', 'other');
      rmSync(join(root, '.git', 'MERGE_HEAD'));
      return { cwd: root, expected: { exitCode: 4, messages: [/unresolved conflicts/, /git add/] } };
    },
  },
  {
    name: 'merge in progress in a linked worktree',
    make(testbed) {
      const root = forked(testbed);
      const linked = join(testbed.place, 'linked');
      git(testbed, root, 'worktree', 'add', '--quiet', '-b', 'third', linked);
      gitExpectingStop(testbed, linked, 'merge', 'other');
      return {
        cwd: linked,
        expected: { exitCode: 4, messages: [/a merge is in progress/, /git merge --abort/] },
      };
    },
  },
  {
    name: 'a merge whose conflicts are resolved but not committed',
    fullOnly: true,
    make(testbed) {
      const root = forked(testbed);
      gitExpectingStop(testbed, root, 'merge', 'other');
      writeFileSync(join(root, 'notes.txt'), 'both\n');
      git(testbed, root, 'add', 'notes.txt');
      return {
        cwd: root,
        expected: { exitCode: 4, messages: [/a merge is in progress/, /git merge --continue/] },
      };
    },
  },
];
