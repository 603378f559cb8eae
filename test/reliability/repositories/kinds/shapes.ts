/** Unusual ways of having a repository. */
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
  type Ground,
} from '../ground.ts';
import { inFullOnly, REPAIRED, type Kind, type Repaired } from '../kind.ts';

const FIX_IN = (path: string): string => `sed -i 's/a - b/a + b/' ${path}`;

/** A clone of a repository with three commits. */
function cloneWith(ground: Ground, ...options: readonly string[]): string {
  const origin = repository(ground, { ...ADDER, 'old.bin': 'old\n' }, 'origin');
  for (const text of ['newer', 'newest']) {
    write(origin, { 'old.bin': `${text}\n` });
    commit(ground, origin, text);
  }
  git(ground, origin, 'config', 'uploadpack.allowFilter', 'true');
  const root = join(ground.place, 'project');
  git(ground, ground.place, 'clone', '--quiet', ...options, `file://${origin}`, root);
  return root;
}

function named(name: string): Kind {
  return {
    name: `a repository in a folder called ${JSON.stringify(name)}`,
    make(ground) {
      const root = repository(ground, ADDER, name);
      return { cwd: root, expected: { repaired: [`${Buffer.from(name).toString('latin1')}/src/add.js`] } };
    },
  };
}

const BRANCH: Repaired = {
  repaired: [],
  applied: 'branch',
  mayChange: /^project\/\.git\/(objects|refs|logs)(\/|$)/,
};

export const SHAPES: readonly Kind[] = [
  {
    name: 'detached HEAD',
    make(ground) {
      const root = repository(ground);
      git(ground, root, 'checkout', '--quiet', '--detach');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a linked worktree',
    make(ground) {
      const root = repository(ground);
      const linked = join(ground.place, 'linked');
      git(ground, root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
      return { cwd: linked, expected: { repaired: ['linked/src/add.js'] } };
    },
  },
  {
    name: 'a linked worktree of a bare repository',
    fullOnly: true,
    make(ground) {
      repository(ground, ADDER, 'origin');
      git(ground, ground.place, 'clone', '--quiet', '--bare', 'origin', 'bare.git');
      const linked = join(ground.place, 'linked');
      git(ground, join(ground.place, 'bare.git'), 'worktree', 'add', '--quiet', linked, 'main');
      return { cwd: linked, expected: { repaired: ['linked/src/add.js'] } };
    },
  },
  {
    name: 'a git directory elsewhere',
    fullOnly: true,
    make(ground) {
      const root = initialise(ground, 'project', `--separate-git-dir=${join(ground.place, 'elsewhere.git')}`);
      write(root, ADDER);
      commit(ground, root);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a shallow clone',
    fullOnly: true,
    make: (ground) => ({ cwd: cloneWith(ground, '--depth=1'), expected: REPAIRED }),
  },
  {
    name: 'a partial clone whose origin is gone',
    make(ground) {
      const root = cloneWith(ground, '--filter=blob:none');
      git(ground, root, 'remote', 'set-url', 'origin', 'file:///nowhere/at/all');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a treeless clone whose origin is gone',
    fullOnly: true,
    make(ground) {
      const root = cloneWith(ground, '--filter=tree:0');
      git(ground, root, 'remote', 'set-url', 'origin', 'file:///nowhere/at/all');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a sparse checkout',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(ground, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a sparse checkout, and a commit is asked for',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(ground, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      return {
        ...{ cwd: root, args: ['--command', FIX_IN('src/add.js'), '--commit'] },
        expected: {
          ...{ ...REPAIRED, applied: 'commit', mayChange: /^project\/\.git(\/|$)/ },
          also: () => differsFrom(git(ground, root, 'diff', '--name-only', 'HEAD~1', 'HEAD'), 'src/add.js\n'),
        },
      };
    },
  },
  {
    name: 'a sparse checkout, and a branch is asked for',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'other/large.txt': 'not here\n' });
      git(ground, root, 'sparse-checkout', 'set', '--cone', 'src', 'test');
      const changed = (): string =>
        git(ground, root, 'diff', '--name-only', 'HEAD', ...newBranch(ground, root));
      return {
        ...{ cwd: root, args: ['--command', FIX_IN('src/add.js'), '--branch'] },
        expected: { ...BRANCH, also: () => differsFrom(changed(), 'src/add.js\n') },
      };
    },
  },
  {
    name: 'a SHA-256 repository',
    fullOnly: true,
    make(ground) {
      const root = initialise(ground, 'project', '--object-format=sha256');
      write(root, ADDER);
      commit(ground, root);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a SHA-256 repository, a file goes, and a branch is asked for',
    make(ground) {
      const root = initialise(ground, 'project', '--object-format=sha256');
      write(root, { ...ADDER, 'src/old.js': 'export {};\n' });
      commit(ground, root);
      const changed = (): string =>
        git(ground, root, 'diff', '--name-status', 'HEAD', ...newBranch(ground, root));
      return {
        ...{ cwd: root, args: ['--command', `${FIX_IN('src/add.js')}; rm src/old.js`, '--branch'] },
        expected: { ...BRANCH, also: () => differsFrom(changed(), 'M\tsrc/add.js\nD\tsrc/old.js\n') },
      };
    },
  },
  {
    name: 'objects borrowed from another repository',
    fullOnly: true,
    make: (ground) => ({ cwd: cloneWith(ground, '--shared'), expected: REPAIRED }),
  },
  {
    name: 'started in a folder below',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      return { cwd: join(root, 'src'), expected: REPAIRED };
    },
  },
  {
    name: 'started through a symbolic link',
    fullOnly: true,
    make(ground) {
      repository(ground);
      symlinkSync('project', join(ground.place, 'link'));
      return { cwd: join(ground.place, 'link'), expected: REPAIRED };
    },
  },
  {
    name: 'a package deep in a repository of another kind',
    fullOnly: true,
    make(ground) {
      const files = { 'main.py': 'print(1)\n', 'web/package.json': manifest(), 'web/src/add.js': BUGGY };
      const root = repository(ground, { ...files, 'web/test/add.test.js': testOf('../src/add.js') });
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

function differsFrom(found: string, wanted: string): string | undefined {
  return found === wanted ? undefined : `it has ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
}

function newBranch(ground: Ground, root: string): string[] {
  return git(ground, root, 'for-each-ref', '--format=%(refname)', 'refs/heads/ralph').trim().split('\n');
}
