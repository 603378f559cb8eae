/** What the user's index and ignore rules say beside the files themselves. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, initialise, manifest, repository, testOf, write } from '../ground.ts';
import { HONEST_FIX, REPAIRED, type Kind } from '../kind.ts';

/** What git stores for a commit that then does not come to be. */
const OBJECTS = /^project\/\.git\/objects\//;

export const INDEX_STATES: readonly Kind[] = [
  {
    name: 'commit, index and tree all differ',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'notes.txt': 'committed\n' });
      write(root, { 'notes.txt': 'staged\n', 'new.txt': 'staged\n' });
      git(ground, root, 'add', '--all');
      write(root, { 'notes.txt': 'in the tree\n', 'new.txt': 'in the tree\n', 'other.txt': 'untracked\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'uncommitted deletions, moves and a file that became a folder',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'one.txt': '1\n', 'two.txt': '2\n', 'three.txt': '3\n' });
      rmSync(join(root, 'one.txt'));
      git(ground, root, 'mv', 'two.txt', 'moved.txt');
      rmSync(join(root, 'three.txt'));
      write(root, { 'three.txt/inner.txt': 'a folder now\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug itself is uncommitted',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'src/add.js': BUGGY.replace('-', '+') });
      write(root, { 'src/add.js': BUGGY });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug is in an untracked file',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { 'package.json': manifest() });
      write(root, { 'src/add.js': BUGGY, 'test/add.test.js': testOf('../src/add.js') });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'files that are only meant to be added',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      write(root, { 'meant.txt': 'meant\n' });
      git(ground, root, 'add', '--intent-to-add', 'meant.txt');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'files that git is told to look away from',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'one.txt': '1\n', 'two.txt': '2\n' });
      git(ground, root, 'update-index', '--assume-unchanged', 'one.txt', 'src/add.js');
      git(ground, root, 'update-index', '--skip-worktree', 'two.txt');
      write(root, { 'one.txt': 'changed\n', 'two.txt': 'changed\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug is tracked in spite of an ignore rule',
    make(ground) {
      const root = initialise(ground);
      write(root, { ...ADDER, '.gitignore': 'node_modules\nsrc/\n' });
      git(ground, root, 'add', '--all');
      git(ground, root, 'add', '--force', 'src/add.js');
      git(ground, root, 'commit', '--quiet', '--message=start');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'ignore rules that name everything but a few',
    fullOnly: true,
    make(ground) {
      const rules = '*\n!*/\n!*.js\n!package.json\n!.gitignore\n';
      const root = repository(ground, { ...ADDER, '.gitignore': rules });
      write(root, { 'secret.txt': 'ignored\n', 'node_modules/left-pad/index.js': 'module.exports = 1;\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'dependencies that are tracked',
    fullOnly: true,
    make(ground) {
      const vendored = {
        'node_modules/five/index.js': 'export const five = 5;\n',
        'node_modules/five/package.json': manifest({ name: 'five', exports: './index.js' }),
      };
      const test = `import { five } from 'five';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      const files = { ...ADDER, ...vendored, '.gitignore': '', 'test/add.test.js': test };
      const root = repository(ground, {
        ...files,
        'package.json': manifest({ dependencies: { five: '1' } }),
      });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'an ignored file that the tests need',
    fullOnly: true,
    make(ground) {
      const test = `import { readFileSync } from 'node:fs';\nreadFileSync(new URL('../.env.test', import.meta.url));\n`;
      const files = { ...ADDER, '.gitignore': '.env*\n', 'test/add.test.js': test + testOf('../src/add.js') };
      const root = repository(ground, files);
      write(root, { '.env.test': 'A=1\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a split index with an untracked cache',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      git(ground, root, 'update-index', '--split-index', '--untracked-cache', '--index-version=4');
      git(ground, root, 'status', '--short');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'configuration and hooks that name programs',
    make(ground) {
      const root = repository(ground, { ...ADDER, '.gitattributes': '* filter=trap diff=trap\n' });
      const trap = `touch ${ground.place}/sprung; cat`;
      for (const name of ['filter.trap.clean', 'filter.trap.smudge', 'diff.trap.textconv', 'diff.external']) {
        git(ground, root, 'config', name, trap);
      }
      for (const name of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand']) {
        git(ground, root, 'config', name, trap);
      }
      for (const name of ['post-checkout', 'pre-commit', 'post-index-change', 'fsmonitor-watchman']) {
        write(root, { [`.git/hooks/${name}`]: `#!/bin/sh\n${trap}\n` });
        chmodSync(join(root, '.git', 'hooks', name), 0o755);
      }
      rmSync(join(ground.place, 'sprung'), { force: true });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a hook that refuses the commit that is asked for',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      write(root, { '.git/hooks/pre-commit': '#!/bin/sh\necho "Not on a Friday." >&2\nexit 1\n' });
      chmodSync(join(root, '.git', 'hooks', 'pre-commit'), 0o755);
      const says = [/not committed: Not on a Friday/];
      return {
        cwd: root,
        args: ['--command', HONEST_FIX, '--commit'],
        expected: { ...REPAIRED, says, mayChange: OBJECTS },
      };
    },
  },
  {
    name: 'nobody is told to git, and a commit is asked for',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const env = { HOME: ground.temporary, EMAIL: '', GIT_CONFIG_GLOBAL: '/dev/null' };
      git(ground, root, 'config', 'user.useConfigOnly', 'true');
      const says = [/not committed: .*(identity|tell me who you are|user\.)/i];
      return {
        cwd: root,
        env,
        args: ['--command', HONEST_FIX, '--commit'],
        expected: { ...REPAIRED, says, mayChange: OBJECTS },
      };
    },
  },
  {
    name: 'a branch called ralph, and a branch is asked for',
    make(ground) {
      const root = repository(ground);
      git(ground, root, 'branch', 'ralph');
      const says = [/branch ralph\/.* could not be made/, /git branch -m ralph/];
      const expected = { exitCode: 4, says, mayChange: OBJECTS };
      return { cwd: root, args: ['--command', HONEST_FIX, '--branch'], expected };
    },
  },
  {
    name: 'variables of a git hook that ralph runs in',
    make(ground) {
      const other = repository(ground, { 'other.txt': 'other\n' }, 'other');
      const root = repository(ground);
      commit(ground, root, 'second');
      const env = {
        GIT_DIR: join(other, '.git'),
        GIT_INDEX_FILE: join(other, '.git', 'index'),
        GIT_PREFIX: 'x/',
      };
      return { cwd: root, env, expected: REPAIRED };
    },
  },
];
