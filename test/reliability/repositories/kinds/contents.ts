/** Contents that a tool in between could change: line ends, encodings, filters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, repository, testOf, write, type Files, type Ground } from '../ground.ts';
import { HONEST_FIX, inFullOnly, REPAIRED, type Kind } from '../kind.ts';

const CRLF = BUGGY.replaceAll('\n', '\r\n');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`;
const COMMIT = { args: ['--command', HONEST_FIX, '--commit'] };
const COMMITTED = { ...REPAIRED, applied: 'commit', mayChange: /^project\/\.git(\/|$)/ } as const;

function holding(name: string, files: Files): Kind {
  return {
    name,
    make: (ground) => ({ cwd: repository(ground, { ...ADDER, ...files }), expected: REPAIRED }),
  };
}

/** Checked out anew, so that the files are what git makes of them. */
function converted(ground: Ground, settings: Readonly<Record<string, string>>, files: Files): string {
  const root = repository(ground, { ...ADDER, ...files });
  for (const [name, value] of Object.entries(settings)) git(ground, root, 'config', name, value);
  git(ground, root, 'rm', '--quiet', '-r', '--cached', '.');
  git(ground, root, 'reset', '--quiet', '--hard');
  if (!readFileSync(join(root, 'src/add.js'), 'utf8').includes('\r\n')) throw new Error('no CRLF was made');
  return root;
}

/** The change of one line is the only difference that git sees. */
function oneLine(ground: Ground, root: string, ...range: readonly string[]): string | undefined {
  const found = git(ground, root, 'diff', '--numstat', ...range);
  return found === '1\t1\tsrc/add.js\n' ? undefined : `git diff says ${JSON.stringify(found)}`;
}

function withLineEnds(name: string, settings: Readonly<Record<string, string>>, files: Files = {}): Kind[] {
  return [
    {
      name,
      make(ground) {
        const root = converted(ground, settings, files);
        return { cwd: root, expected: { ...REPAIRED, also: () => oneLine(ground, root) } };
      },
    },
    {
      name: `${name}, and a commit is asked for`,
      make(ground) {
        const root = converted(ground, settings, files);
        return {
          cwd: root,
          ...COMMIT,
          expected: { ...COMMITTED, also: () => oneLine(ground, root, 'HEAD~1', 'HEAD') },
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
    holding('no line end at the end, empty files, NUL, lone CR, form feed', {
      'src/add.js': BUGGY.trimEnd(),
      ...{
        'empty.txt': '',
        'nul.bin': Buffer.from([0, 1, 2, 0, 255, 10, 0]),
        'cr.txt': 'a\rb\rc',
        'ff.txt': 'a\f\v\u0085b',
      },
    }),
  ),
  inFullOnly(
    holding('keywords that git would expand', {
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
    name: 'LFS pointers, and git-lfs is not there',
    make(ground) {
      const rules = '*.psd filter=lfs diff=lfs merge=lfs -text\n';
      const root = repository(ground, { ...ADDER, '.gitattributes': rules, 'large.psd': POINTER });
      for (const name of ['clean', 'smudge', 'process'])
        git(ground, root, 'config', `filter.lfs.${name}`, 'git-lfs');
      git(ground, root, 'config', 'filter.lfs.required', 'true');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'LFS contents, and a commit is asked for',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const clean = `printf '${POINTER.replaceAll('\n', '\\n')}'`;
      git(ground, root, 'config', 'filter.lfs.clean', clean);
      git(ground, root, 'config', 'filter.lfs.smudge', "printf 'the large content\\n'");
      git(ground, root, 'config', 'filter.lfs.required', 'true');
      write(root, { '.gitattributes': '*.psd filter=lfs -text\n', 'large.psd': 'the large content\n' });
      commit(ground, root, 'lfs');
      const also = (): string | undefined =>
        git(ground, root, 'show', 'HEAD:large.psd') === POINTER
          ? oneLine(ground, root, 'HEAD~1', 'HEAD')
          : 'no pointer';
      return { cwd: root, ...COMMIT, expected: { ...COMMITTED, also } };
    },
  },
  {
    name: 'a very long line',
    fullOnly: true,
    make(ground) {
      const long = `export const data = '${'x'.repeat(5_000_000)}';\n${BUGGY}`;
      const files = { ...ADDER, 'src/add.js': long, 'test/add.test.js': testOf('../src/add.js') };
      return { cwd: repository(ground, files), expected: REPAIRED };
    },
  },
];
