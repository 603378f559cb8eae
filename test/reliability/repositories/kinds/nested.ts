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
  type Testbed,
} from '../testbed.ts';
import { REPAIRED, type Kind } from '../kind.ts';

/** A repository with a submodule at `lib`. */
function withSubmodule(
  testbed: Testbed,
  files: Files = ADDER,
  library: Files = { 'index.js': 'export const five = 5;\n' },
): string {
  repository(testbed, library, 'library');
  const root = repository(testbed, files);
  git(testbed, root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'lib');
  commit(testbed, root, 'submodule');
  return root;
}

export const NESTED: readonly Kind[] = [
  {
    name: 'a submodule',
    fullOnly: true,
    make: (testbed) => ({ cwd: withSubmodule(testbed), expected: REPAIRED }),
  },
  {
    name: 'a submodule that the tests need',
    make(testbed) {
      const test = `import { five } from '../lib/index.js';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      return { cwd: withSubmodule(testbed, { ...ADDER, 'test/add.test.js': test }), expected: REPAIRED };
    },
  },
  {
    name: 'a submodule that was not fetched',
    fullOnly: true,
    make(testbed) {
      const origin = withSubmodule(testbed);
      git(testbed, testbed.place, 'clone', '--quiet', origin, 'clone');
      return { cwd: join(testbed.place, 'clone'), expected: { repaired: ['clone/src/add.js'] } };
    },
  },
  {
    name: 'inside a submodule',
    fullOnly: true,
    make(testbed) {
      const root = withSubmodule(testbed, { 'README.md': 'outer\n' }, ADDER);
      return { cwd: join(root, 'lib'), expected: { repaired: ['project/lib/src/add.js'] } };
    },
  },
  {
    name: 'a nested repository',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      repository(testbed, { 'notes.txt': 'nested\n' }, 'project/nested');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a nested repository without commits',
    make(testbed) {
      const root = repository(testbed);
      write(initialise(testbed, 'project/nested'), { 'notes.txt': 'nested\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a nested repository that the tests need',
    fullOnly: true,
    make(testbed) {
      const test = `import { five } from '../nested/five.js';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`;
      const root = repository(testbed, { ...ADDER, 'test/add.test.js': test });
      repository(testbed, { 'five.js': 'export const five = 5;\n' }, 'project/nested');
      return { cwd: root, expected: REPAIRED };
    },
  },
];
