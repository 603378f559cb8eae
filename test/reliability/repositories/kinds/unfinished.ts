/** Trees in the middle of something that git has not ended. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, git, gitStops, repository, run, write, type Ground } from '../ground.ts';
import { inFullOnly, type Kind } from '../kind.ts';

/** Two branches that change one line, `main` checked out. */
function forked(ground: Ground): string {
  const root = repository(ground, { ...ADDER, 'notes.txt': 'one\n' });
  git(ground, root, 'switch', '--quiet', '--create', 'other');
  write(root, { 'notes.txt': 'two\n' });
  commit(ground, root, 'two');
  git(ground, root, 'switch', '--quiet', 'main');
  write(root, { 'notes.txt': 'three\n' });
  commit(ground, root, 'three');
  return root;
}

function stoppedAt(name: string, args: readonly string[], says: readonly RegExp[]): Kind {
  return {
    name: `${name} in progress`,
    make(ground) {
      const root = forked(ground);
      gitStops(ground, root, ...args);
      return { cwd: root, expected: { exitCode: 4, says } };
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
    make(ground) {
      const root = forked(ground);
      run(ground, root, 'sh', '-c', `git format-patch -1 --stdout other > ${join(ground.home, 'one.patch')}`);
      gitStops(ground, root, 'am', join(ground.home, 'one.patch'));
      return { cwd: root, expected: { exitCode: 4, says: [/git am is in progress/, /git am --abort/] } };
    },
  },
  {
    name: 'revert in progress',
    make(ground) {
      const root = forked(ground);
      git(ground, root, 'revert', '--no-commit', 'HEAD');
      return {
        cwd: root,
        expected: { exitCode: 4, says: [/a revert is in progress/, /git revert --abort/] },
      };
    },
  },
  {
    name: 'bisect in progress',
    make(ground) {
      const root = forked(ground);
      git(ground, root, 'bisect', 'start', 'HEAD', 'HEAD~1');
      return { cwd: root, expected: { exitCode: 4, says: [/a bisect is in progress/, /git bisect reset/] } };
    },
  },
  {
    name: 'conflicts of a stash',
    make(ground) {
      const root = forked(ground);
      write(root, { 'notes.txt': 'mine\n' });
      git(ground, root, 'stash');
      git(ground, root, 'reset', '--quiet', '--hard', 'other');
      gitStops(ground, root, 'stash', 'pop');
      return { cwd: root, expected: { exitCode: 4, says: [/unresolved conflicts/, /git add/] } };
    },
  },
  {
    name: 'conflicts whose merge was forgotten',
    fullOnly: true,
    make(ground) {
      const root = forked(ground);
      gitStops(ground, root, 'merge', 'other');
      rmSync(join(root, '.git', 'MERGE_HEAD'));
      return { cwd: root, expected: { exitCode: 4, says: [/unresolved conflicts/, /git add/] } };
    },
  },
  {
    name: 'merge in progress in a linked worktree',
    make(ground) {
      const root = forked(ground);
      const linked = join(ground.place, 'linked');
      git(ground, root, 'worktree', 'add', '--quiet', '-b', 'third', linked);
      gitStops(ground, linked, 'merge', 'other');
      return {
        cwd: linked,
        expected: { exitCode: 4, says: [/a merge is in progress/, /git merge --abort/] },
      };
    },
  },
  {
    name: 'a merge whose conflicts are resolved but not committed',
    fullOnly: true,
    make(ground) {
      const root = forked(ground);
      gitStops(ground, root, 'merge', 'other');
      writeFileSync(join(root, 'notes.txt'), 'both\n');
      git(ground, root, 'add', 'notes.txt');
      return {
        cwd: root,
        expected: { exitCode: 4, says: [/a merge is in progress/, /git merge --continue/] },
      };
    },
  },
];
