/** File names that break naive tools. The bug is in the file with that name if Node can import it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, initialise, manifest, repository, testOf, write } from '../testbed.ts';
import { inFullOnly, Unsupported, REPAIRED, type Kind } from '../kind.ts';

/** An actor that edits every file in `src` without naming one. */
const FIX_ALL = "find src -type f -exec sed -i 's/a - b/a + b/' {} +";

/** The bug is in `src/<name>`; another file with the name is in the top folder. */
function called(what: string, name: string): Kind {
  return {
    name: `a file with ${what}`,
    make(testbed) {
      const source = `../src/${encodeURIComponent(name).replaceAll("'", '%27')}`;
      const files = { '.gitignore': 'node_modules\n', 'package.json': manifest(), [`src/${name}`]: BUGGY };
      const root = repository(testbed, { ...files, [name]: 'other\n', 'test/add.test.js': testOf(source) });
      const repaired = [`project/src/${Buffer.from(name).toString('latin1')}`];
      return { cwd: root, actor: FIX_ALL, expected: { repaired } };
    },
  };
}

function bytes(...parts: readonly (string | number)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
}

export const NAMES: readonly Kind[] = [
  called('a line end in its name', 'ad\nd.js'),
  inFullOnly(called('control characters in its name', 'a\td\u0001\u001b[31md.js')),
  called('right-to-left text in its name', 'שלום\u202Egnp.js'),
  inFullOnly(called('emoji in its name', '🚀👩‍👩‍👧.js')),
  inFullOnly(called('decomposed letters in its name', 'cafe\u0301.js')),
  inFullOnly(called('spaces and quotes in its name', ` it's "a" $(file) .js`)),
  inFullOnly(called('wildcards in its name', 'a*[b]?{c,d}!#$.js')),
  called('a name that looks like an option', '-rf.js'),
  inFullOnly(called('a name that looks like a pathspec', ':(exclude)add.js')),
  inFullOnly(called('a name that begins with a dot', '.add.js')),
  inFullOnly(called('a name of 255 bytes', `${'n'.repeat(252)}.js`)),
  {
    name: 'folders called -rf, --, ~ and a space',
    fullOnly: true,
    make(testbed) {
      const odd = Object.fromEntries(
        ['-rf', '--', '~', ' ', '$(id)'].map((name) => [`${name}/inner.txt`, 'x\n']),
      );
      return { cwd: repository(testbed, { ...ADDER, ...odd }), expected: REPAIRED };
    },
  },
  {
    name: 'names that are not valid UTF-8',
    fullOnly: true,
    make(testbed) {
      const root = initialise(testbed);
      write(root, ADDER);
      writeFileSync(bytes(`${root}/tracked-`, 0xff, 0xfe), 'tracked\n');
      commit(testbed, root);
      writeFileSync(bytes(`${root}/src/untracked-`, 0xe9, '.txt'), 'untracked\n');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'an edit in a file whose name is not valid UTF-8',
    make(testbed) {
      const root = initialise(testbed);
      write(root, ADDER);
      const name = bytes('other-', 0xff, 0xc3, '.txt');
      writeFileSync(Buffer.concat([Buffer.from(`${root}/src/`), name]), 'a - b\n');
      commit(testbed, root);
      const repaired = ['project/src/add.js', `project/src/${name.toString('latin1')}`];
      return { cwd: root, actor: FIX_ALL, expected: { repaired } };
    },
  },
  {
    name: 'names that differ only by case',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, {
        ...ADDER,
        'src/ADD.js': 'export {};\n',
        'src/Add.js': 'export {};\n',
      });
      git(testbed, root, 'config', 'core.ignoreCase', 'true');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'names that differ only by Unicode normalisation',
    fullOnly: true,
    make(testbed) {
      const files = { ...ADDER, 'caf\u00e9.txt': 'composed\n', 'cafe\u0301.txt': 'decomposed\n' };
      const root = repository(testbed, files);
      git(testbed, root, 'config', 'core.precomposeUnicode', 'true');
      return { cwd: root, expected: REPAIRED };
    },
  },
  inFullOnly(deep('a path of 2,000 characters', 2_000)),
  deep('a path that is nearly as long as paths can be', 4_000),
];

/** A tracked file whose path has this many characters. It is made folder by folder, because system calls reject the path. */
function deep(name: string, length: number): Kind {
  return {
    name,
    make(testbed) {
      const root = initialise(testbed);
      write(root, ADDER);
      const folder = 'd'.repeat(199);
      const count = Math.floor((length - root.length) / 200);
      const path = join(root, ...Array.from({ length: count }, () => folder));
      try {
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, 'f.txt'), 'deep\n');
      } catch (error) {
        throw new Unsupported(`paths of ${length} characters: ${String(error).slice(0, 80)}`);
      }
      commit(testbed, root);
      return { cwd: root, expected: REPAIRED };
    },
  };
}
