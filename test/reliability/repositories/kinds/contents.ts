/** Contents that git or a tool could convert: line endings, encodings, filters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDER,
  BUGGY,
  commit,
  git,
  repository,
  testOf,
  write,
  type Files,
  type Testbed,
} from '../testbed.ts';
import { HONEST_FIX, inFullOnly, REPAIRED, type Kind } from '../kind.ts';

const CRLF = BUGGY.replaceAll('\n', '\r\n');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`;
const COMMIT = { args: ['--command', HONEST_FIX, '--commit'] };
const COMMITTED = { ...REPAIRED, applied: 'commit', mayChange: /^project\/\.git(\/|$)/ } as const;

function holding(name: string, files: Files): Kind {
  return {
    name,
    make: (testbed) => ({ cwd: repository(testbed, { ...ADDER, ...files }), expected: REPAIRED }),
  };
}

/** A repository that was checked out again after its settings changed, so that git has converted the files. */
function converted(testbed: Testbed, settings: Readonly<Record<string, string>>, files: Files): string {
  const root = repository(testbed, { ...ADDER, ...files });
  for (const [name, value] of Object.entries(settings)) git(testbed, root, 'config', name, value);
  git(testbed, root, 'rm', '--quiet', '-r', '--cached', '.');
  git(testbed, root, 'reset', '--quiet', '--hard');
  if (!readFileSync(join(root, 'src/add.js'), 'utf8').includes('\r\n')) throw new Error('no CRLF was made');
  return root;
}

/** Returns a problem unless the only difference is one changed line in `src/add.js`. */
function oneLine(testbed: Testbed, root: string, ...range: readonly string[]): string | undefined {
  const found = git(testbed, root, 'diff', '--numstat', ...range);
  return found === '1\t1\tsrc/add.js\n' ? undefined : `git diff says ${JSON.stringify(found)}`;
}

function withLineEnds(name: string, settings: Readonly<Record<string, string>>, files: Files = {}): Kind[] {
  return [
    {
      name,
      make(testbed) {
        const root = converted(testbed, settings, files);
        return { cwd: root, expected: { ...REPAIRED, verify: () => oneLine(testbed, root) } };
      },
    },
    {
      name: `${name}, with --commit`,
      make(testbed) {
        const root = converted(testbed, settings, files);
        return {
          cwd: root,
          ...COMMIT,
          expected: { ...COMMITTED, verify: () => oneLine(testbed, root, 'HEAD~1', 'HEAD') },
        };
      },
    },
  ];
}

export const CONTENTS: readonly Kind[] = [
  holding('CRLF in the repository', { 'src/add.js': CRLF, 'src/mixed.js': 'one\r\ntwo\nthree\r\n' }),
  ...withLineEnds('autocrlf', { 'core.autocrlf': 'true' }),
  ...withLineEnds(
    'CRLF by .gitattributes',
    {},
    { '.gitattributes': '* text=auto eol=crlf\n*.bin binary\n' },
  ).map(inFullOnly),
  inFullOnly(holding('a byte order mark', { 'src/add.js': `\uFEFF${BUGGY}`, 'notes.txt': '\uFEFFnotes' })),
  inFullOnly(holding('Latin-1', { 'src/add.js': Buffer.from(`// Größe\n${BUGGY}// Maß`, 'latin1') })),
  inFullOnly(
    holding('UTF-16 by .gitattributes', {
      '.gitattributes': '*.u16 text working-tree-encoding=UTF-16LE-BOM eol=CRLF\n',
      'notes.u16': Buffer.from('\uFEFFnotes\r\n', 'utf16le'),
    }),
  ),
  inFullOnly(
    holding('no newline at the end, empty files, NUL, lone CR, form feed', {
      'src/add.js': BUGGY.trimEnd(),
      'empty.txt': '',
      'nul.bin': Buffer.from([0, 1, 2, 0, 255, 10, 0]),
      'cr.txt': 'a\rb\rc',
      'ff.txt': 'a\f\v\u0085b',
    }),
  ),
  inFullOnly(
    holding('keywords that git expands ($Id$)', {
      '.gitattributes': '* ident\n',
      'src/add.js': `// $Id$\n${BUGGY}`,
      'notes.txt': '$Id: 0123456789012345678901234567890123456789 $\n',
    }),
  ),
  inFullOnly(
    holding('text that looks like a conflict or a diff', {
      'notes.txt': '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n',
      'diff.txt':
        'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a - b\n+a\n\\ No newline at end of file\n',
    }),
  ),
  {
    name: 'LFS pointers without git-lfs',
    make(testbed) {
      const rules = '*.psd filter=lfs diff=lfs merge=lfs -text\n';
      const root = repository(testbed, { ...ADDER, '.gitattributes': rules, 'large.psd': POINTER });
      for (const name of ['clean', 'smudge', 'process'])
        git(testbed, root, 'config', `filter.lfs.${name}`, 'git-lfs');
      git(testbed, root, 'config', 'filter.lfs.required', 'true');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'LFS contents, with --commit',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const clean = `printf '${POINTER.replaceAll('\n', '\\n')}'`;
      git(testbed, root, 'config', 'filter.lfs.clean', clean);
      git(testbed, root, 'config', 'filter.lfs.smudge', "printf 'the large content\\n'");
      git(testbed, root, 'config', 'filter.lfs.required', 'true');
      write(root, { '.gitattributes': '*.psd filter=lfs -text\n', 'large.psd': 'the large content\n' });
      commit(testbed, root, 'lfs');
      const verify = (): string | undefined =>
        git(testbed, root, 'show', 'HEAD:large.psd') === POINTER
          ? oneLine(testbed, root, 'HEAD~1', 'HEAD')
          : 'no pointer';
      return { cwd: root, ...COMMIT, expected: { ...COMMITTED, verify } };
    },
  },
  {
    name: 'a very long line',
    fullOnly: true,
    make(testbed) {
      const long = `export const data = '${'x'.repeat(5_000_000)}';\n${BUGGY}`;
      const files = { ...ADDER, 'src/add.js': long, 'test/add.test.js': testOf('../src/add.js') };
      return { cwd: repository(testbed, files), expected: REPAIRED };
    },
  },
];
