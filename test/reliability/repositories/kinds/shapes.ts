/** Unusual layouts and locations of repositories. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDER,
  BUGGY,
  commit,
  git,
  initialise,
  manifest,
  repository,
  testOf,
  write,
  type Testbed,
} from '../testbed.ts';
import { inFullOnly, REPAIRED, type Kind, type Repaired } from '../kind.ts';

const FIX_IN = (path: string): string => `sed -i 's/a - b/a + b/' ${path}`;

/** A clone of a repository with three commits. */
function cloneWith(testbed: Testbed, ...options: readonly string[]): string {
  const origin = repository(testbed, { ...ADDER, 'old.bin': 'old\n' }, 'origin');
  for (const text of ['newer', 'newest']) {
    write(origin, { 'old.bin': `${text}\n` });
    commit(testbed, origin, text);
  }
  git(testbed, origin, 'config', 'uploadpack.allowFilter', 'true');
  const root = join(testbed.place, 'project');
  git(testbed, testbed.place, 'clone', '--quiet', ...options, `file://${origin}`, root);
  return root;
}

function named(name: string): Kind {
  return {
    name: `a repository in a folder called ${JSON.stringify(name)}`,
    make(testbed) {
      const root = repository(testbed, ADDER, name);
      return { cwd: root, expected: { repaired: [`${Buffer.from(name).toString('latin1')}/src/add.js`] } };
    },
  };
}

const BRANCH: Repaired = {
  repaired: [],
  applied: 'branch',
  mayChange: /^project\/\.git\/(objects|refs|logs)(\/|$)/,
};

/** Longer than SQLite takes. */
const LONG_PATH = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(150)).join('/');

export const SHAPES: readonly Kind[] = [
  {
    name: 'a path of more than 600 characters',
    make(testbed) {
      const root = repository(testbed, ADDER, LONG_PATH);
      return { cwd: root, expected: { repaired: [`${LONG_PATH}/src/add.js`] } };
    },
  },
  {
    name: 'detached HEAD',
    make(testbed) {
      const root = repository(testbed);
      git(testbed, root, 'checkout', '--quiet', '--detach');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a linked worktree',
    make(testbed) {
      const root = repository(testbed);
      const linked = join(testbed.place, 'linked');
      git(testbed, root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
      return { cwd: linked, expected: { repaired: ['linked/src/add.js'] } };
    },
  },
  {
    name: 'a linked worktree of a bare repository',
    fullOnly: true,
    make(testbed) {
      repository(testbed, ADDER, 'origin');
      git(testbed, testbed.place, 'clone', '--quiet', '--bare', 'origin', 'bare.git');
      const linked = join(testbed.place, 'linked');
      git(testbed, join(testbed.place, 'bare.git'), 'worktree', 'add', '--quiet', linked, 'main');
      return { cwd: linked, expected: { repaired: ['linked/src/add.js'] } };
    },
  },
  {
    name: '--separate-git-dir',
    fullOnly: true,
    make(testbed) {
      const root = initialise(
        testbed,
        'project',
        `--separate-git-dir=${join(testbed.place, 'elsewhere.git')}`,
      );
      write(root, ADDER);
      commit(testbed, root);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a shallow clone',
    fullOnly: true,
    make: (testbed) => ({ cwd: cloneWith(testbed, '--depth=1'), expected: REPAIRED }),
  },
  {
    name: 'a partial clone whose origin is gone',
    make(testbed) {
      const root = cloneWith(testbed, '--filter=blob:none');
      git(testbed, root, 'remote', 'set-url', 'origin', 'file:///nowhere/at/all');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a treeless clone whose origin is gone',
    fullOnly: true,
    make(testbed) {
      const root = cloneWith(testbed, '--filter=tree:0');
      git(testbed, root, 'remote', 'set-url', 'origin', 'file:///nowhere/at/all');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a sparse checkout',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(testbed, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a sparse checkout, with --commit',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(testbed, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      return {
        cwd: root,
        args: ['--command', FIX_IN('src/add.js'), '--commit'],
        expected: {
          ...REPAIRED,
          applied: 'commit',
          mayChange: /^project\/\.git(\/|$)/,
          verify: () =>
            differsFrom(git(testbed, root, 'diff', '--name-only', 'HEAD~1', 'HEAD'), 'src/add.js\n'),
        },
      };
    },
  },
  {
    name: 'a sparse checkout, with --branch',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(testbed, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      const changed = (): string =>
        git(testbed, root, 'diff', '--name-only', 'HEAD', ...newBranch(testbed, root));
      return {
        cwd: root,
        args: ['--command', FIX_IN('src/add.js'), '--branch'],
        expected: { ...BRANCH, verify: () => differsFrom(changed(), 'src/add.js\n') },
      };
    },
  },
  {
    name: 'a SHA-256 repository',
    fullOnly: true,
    make(testbed) {
      const root = initialise(testbed, 'project', '--object-format=sha256');
      write(root, ADDER);
      commit(testbed, root);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a SHA-256 repository with a deleted file, with --branch',
    make(testbed) {
      const root = initialise(testbed, 'project', '--object-format=sha256');
      write(root, { ...ADDER, 'src/old.js': 'export {};\n' });
      commit(testbed, root);
      const changed = (): string =>
        git(testbed, root, 'diff', '--name-status', 'HEAD', ...newBranch(testbed, root));
      return {
        cwd: root,
        args: ['--command', `${FIX_IN('src/add.js')}; rm src/old.js`, '--branch'],
        expected: { ...BRANCH, verify: () => differsFrom(changed(), 'M\tsrc/add.js\nD\tsrc/old.js\n') },
      };
    },
  },
  {
    name: 'a clone with --shared',
    fullOnly: true,
    make: (testbed) => ({ cwd: cloneWith(testbed, '--shared'), expected: REPAIRED }),
  },
  {
    name: 'started in a subfolder',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      return { cwd: join(root, 'src'), expected: REPAIRED };
    },
  },
  {
    name: 'started through a symbolic link',
    fullOnly: true,
    make(testbed) {
      repository(testbed);
      symlinkSync('project', join(testbed.place, 'link'));
      return { cwd: join(testbed.place, 'link'), expected: REPAIRED };
    },
  },
  {
    name: 'a package in a subfolder of a repository in another language',
    fullOnly: true,
    make(testbed) {
      const files = { 'main.py': 'print(1)\n', 'web/package.json': manifest(), 'web/src/add.js': BUGGY };
      const root = repository(testbed, { ...files, 'web/test/add.test.js': testOf('../src/add.js') });
      mkdirSync(join(root, 'web', 'empty'));
      return { cwd: join(root, 'web', 'empty'), expected: { repaired: ['project/web/src/add.js'] } };
    },
  },
  inFullOnly(named('with space')),
  inFullOnly(named(`quote's "and" $HOME \`id\``)),
  inFullOnly(named('новый проект 🚀')),
  named('new\nline'),
  inFullOnly(named('-rf')),
  inFullOnly(named('.hidden')),
];

/** Returns a problem if the texts differ. */
function differsFrom(found: string, expected: string): string | undefined {
  return found === expected ? undefined : `${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
}

function newBranch(testbed: Testbed, root: string): string[] {
  return git(testbed, root, 'for-each-ref', '--format=%(refname)', 'refs/heads/ralph').trim().split('\n');
}
