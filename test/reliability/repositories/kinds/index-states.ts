/** States of the index, ignore rules, configuration and hooks. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, initialise, manifest, repository, testOf, write } from '../testbed.ts';
import { HONEST_FIX, REPAIRED, type Kind } from '../kind.ts';

/** Paths that git may write for a commit that fails. */
const OBJECTS = /^project\/\.git\/objects\//;

export const INDEX_STATES: readonly Kind[] = [
  {
    name: 'commit, index and tree all differ',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'notes.txt': 'committed\n' });
      write(root, { 'notes.txt': 'staged\n', 'new.txt': 'staged\n' });
      git(testbed, root, 'add', '--all');
      write(root, { 'notes.txt': 'in the tree\n', 'new.txt': 'in the tree\n', 'other.txt': 'untracked\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'uncommitted deletions, moves and a file that became a folder',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'one.txt': '1\n', 'two.txt': '2\n', 'three.txt': '3\n' });
      rmSync(join(root, 'one.txt'));
      git(testbed, root, 'mv', 'two.txt', 'moved.txt');
      rmSync(join(root, 'three.txt'));
      write(root, { 'three.txt/inner.txt': 'a folder now\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug itself is uncommitted',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'src/add.js': BUGGY.replace('-', '+') });
      write(root, { 'src/add.js': BUGGY });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug is in an untracked file',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { 'package.json': manifest() });
      write(root, { 'src/add.js': BUGGY, 'test/add.test.js': testOf('../src/add.js') });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'files added with --intent-to-add',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      write(root, { 'meant.txt': 'meant\n' });
      git(testbed, root, 'add', '--intent-to-add', 'meant.txt');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'files marked assume-unchanged and skip-worktree',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'one.txt': '1\n', 'two.txt': '2\n' });
      git(testbed, root, 'update-index', '--assume-unchanged', 'one.txt', 'src/add.js');
      git(testbed, root, 'update-index', '--skip-worktree', 'two.txt');
      write(root, { 'one.txt': 'changed\n', 'two.txt': 'changed\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'the bug is in a tracked file that an ignore rule matches',
    make(testbed) {
      const root = initialise(testbed);
      write(root, { ...ADDER, '.gitignore': 'node_modules\nsrc/\n' });
      git(testbed, root, 'add', '--all');
      git(testbed, root, 'add', '--force', 'src/add.js');
      git(testbed, root, 'commit', '--quiet', '--message=start');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'ignore rules that match everything except a few files',
    fullOnly: true,
    make(testbed) {
      const rules = '*\n!*/\n!*.js\n!package.json\n!.gitignore\n';
      const root = repository(testbed, { ...ADDER, '.gitignore': rules });
      write(root, { 'secret.txt': 'ignored\n', 'node_modules/left-pad/index.js': 'module.exports = 1;\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'tracked dependencies',
    fullOnly: true,
    make(testbed) {
      const vendored = {
        'node_modules/five/index.js': 'export const five = 5;\n',
        'node_modules/five/package.json': manifest({ name: 'five', exports: './index.js' }),
      };
      const test = `import { five } from 'five';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      const files = { ...ADDER, ...vendored, '.gitignore': '', 'test/add.test.js': test };
      const root = repository(testbed, {
        ...files,
        'package.json': manifest({ dependencies: { five: '1' } }),
      });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'an ignored file that the tests need',
    fullOnly: true,
    make(testbed) {
      const test = `import { readFileSync } from 'node:fs';\nreadFileSync(new URL('../.env.test', import.meta.url));\n`;
      const files = { ...ADDER, '.gitignore': '.env*\n', 'test/add.test.js': test + testOf('../src/add.js') };
      const root = repository(testbed, files);
      write(root, { '.env.test': 'A=1\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a split index with an untracked cache',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      git(testbed, root, 'update-index', '--split-index', '--untracked-cache', '--index-version=4');
      git(testbed, root, 'status', '--short');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'configuration and hooks that start programs',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, '.gitattributes': '* filter=trap diff=trap\n' });
      const trap = `touch ${testbed.place}/sprung; cat`;
      for (const name of ['filter.trap.clean', 'filter.trap.smudge', 'diff.trap.textconv', 'diff.external']) {
        git(testbed, root, 'config', name, trap);
      }
      for (const name of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand']) {
        git(testbed, root, 'config', name, trap);
      }
      for (const name of ['post-checkout', 'pre-commit', 'post-index-change', 'fsmonitor-watchman']) {
        write(root, { [`.git/hooks/${name}`]: `#!/bin/sh\n${trap}\n` });
        chmodSync(join(root, '.git', 'hooks', name), 0o755);
      }
      rmSync(join(testbed.place, 'sprung'), { force: true });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: '--commit, and a hook rejects the commit',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      write(root, { '.git/hooks/pre-commit': '#!/bin/sh\necho "Not on a Friday." >&2\nexit 1\n' });
      chmodSync(join(root, '.git', 'hooks', 'pre-commit'), 0o755);
      const messages = [/not committed: Not on a Friday/];
      return {
        cwd: root,
        args: ['--command', HONEST_FIX, '--commit'],
        expected: { ...REPAIRED, messages, mayChange: OBJECTS },
      };
    },
  },
  {
    name: '--commit, and git has no identity',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const env = { HOME: testbed.temporary, EMAIL: '', GIT_CONFIG_GLOBAL: '/dev/null' };
      git(testbed, root, 'config', 'user.useConfigOnly', 'true');
      const messages = [/not committed: .*(identity|tell me who you are|user\.)/i];
      return {
        cwd: root,
        env,
        args: ['--command', HONEST_FIX, '--commit'],
        expected: { ...REPAIRED, messages, mayChange: OBJECTS },
      };
    },
  },
  {
    name: '--branch, and a branch has the name ralph',
    make(testbed) {
      const root = repository(testbed);
      git(testbed, root, 'branch', 'ralph');
      const messages = [/branch ralph\/.* could not be created/, /git branch -m ralph/];
      const expected = { exitCode: 4, messages, mayChange: OBJECTS };
      return { cwd: root, args: ['--command', HONEST_FIX, '--branch'], expected };
    },
  },
  {
    name: 'ralph runs in a git hook, with its variables',
    make(testbed) {
      const other = repository(testbed, { 'other.txt': 'other\n' }, 'other');
      const root = repository(testbed);
      commit(testbed, root, 'second');
      const env = {
        GIT_DIR: join(other, '.git'),
        GIT_INDEX_FILE: join(other, '.git', 'index'),
        GIT_PREFIX: 'x/',
      };
      return { cwd: root, env, expected: REPAIRED };
    },
  },
];
