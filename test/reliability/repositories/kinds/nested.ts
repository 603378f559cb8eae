/** Repositories within the repository. */
import { join } from 'node:path';
import {
  ADDER,
  commit,
  git,
  initialise,
  repository,
  testOf,
  write,
  type Files,
  type Ground,
} from '../ground.ts';
import { REPAIRED, type Kind } from '../kind.ts';

/** A repository with a submodule at `lib` that has the commits of `lib`. */
function withSubmodule(
  ground: Ground,
  files: Files = ADDER,
  library: Files = { 'index.js': 'export const five = 5;\n' },
): string {
  repository(ground, library, 'library');
  const root = repository(ground, files);
  git(ground, root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'lib');
  commit(ground, root, 'submodule');
  return root;
}

export const NESTED: readonly Kind[] = [
  {
    name: 'a submodule',
    fullOnly: true,
    make: (ground) => ({ cwd: withSubmodule(ground), expected: REPAIRED }),
  },
  {
    name: 'a submodule that the tests need',
    make(ground) {
      const test = `import { five } from '../lib/index.js';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      return { cwd: withSubmodule(ground, { ...ADDER, 'test/add.test.js': test }), expected: REPAIRED };
    },
  },
  {
    name: 'a submodule that was not fetched',
    fullOnly: true,
    make(ground) {
      const origin = withSubmodule(ground);
      git(ground, ground.place, 'clone', '--quiet', origin, 'clone');
      return { cwd: join(ground.place, 'clone'), expected: { repaired: ['clone/src/add.js'] } };
    },
  },
  {
    name: 'inside a submodule',
    fullOnly: true,
    make(ground) {
      const root = withSubmodule(ground, { 'README.md': 'outer\n' }, ADDER);
      return { cwd: join(root, 'lib'), expected: { repaired: ['project/lib/src/add.js'] } };
    },
  },
  {
    name: 'a nested repository',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      repository(ground, { 'notes.txt': 'nested\n' }, 'project/nested');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a nested repository without commits',
    make(ground) {
      const root = repository(ground);
      write(initialise(ground, 'project/nested'), { 'notes.txt': 'nested\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a nested repository that the tests need',
    fullOnly: true,
    make(ground) {
      const test = `import { five } from '../nested/five.js';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      const root = repository(ground, { ...ADDER, 'test/add.test.js': test });
      repository(ground, { 'five.js': 'export const five = 5;\n' }, 'project/nested');
      return { cwd: root, expected: REPAIRED };
    },
  },
];
