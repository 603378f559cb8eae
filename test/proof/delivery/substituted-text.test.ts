import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { findSubstitutedText } from '../../../src/proof/delivery/substituted-text.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const MARK = "const build = '$Format:%h$';\n";
const ATTRIBUTE = 'src/*.js export-subst\n';

function found(text: string, before: string, attributes: string): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a.js': text, '.gitattributes': attributes });
  execFileSync('git', ['init', '-q'], { cwd: root });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findSubstitutedText({ request, sources: ['src/a.js'], baseText: () => Promise.resolve(before) });
}

it('names a new text that an archive does not have', async () => {
  expect(await found(MARK, '', ATTRIBUTE)).toContain(
    'src/a.js contains $Format:%h$, which `git archive` replaces',
  );
});

it.each([
  ['one that the base has', MARK, MARK, ATTRIBUTE],
  ['a text without the attribute', MARK, '', ''],
  ['another text', "const price = '$5';\n", '', ATTRIBUTE],
])('does not name %s', async (_, text, before, attributes) => {
  expect(await found(text, before, attributes)).toBeUndefined();
});

it.each(['*.js', '/src/a.js', 'src/*.js'])(
  'names a source that git writes in another encoding: %s',
  async (pattern) => {
    const sentence = 'src/a.js is written in UTF-16LE-BOM where it is checked out';
    expect(await found('f();', '', `# all\n${pattern} text working-tree-encoding=UTF-16LE-BOM\n`)).toContain(
      sentence,
    );
    expect(await found('f();', '', `${pattern} working-tree-encoding=UTF-8\n`)).toBeUndefined();
    expect(await found('f();', '', '*.txt working-tree-encoding=UTF-16\n')).toBeUndefined();
  },
);
