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
