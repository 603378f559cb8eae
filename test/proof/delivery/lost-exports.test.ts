import { expect, it } from 'vitest';
import { findLostExport } from '../../../src/proof/delivery/lost-exports.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BASE = 'export const area = 1;\nexport function perimeter() {}\nexport default area;\n';

async function found(
  now: string,
  manifest: object = { name: 'kit', main: 'lib/a.js' },
  before = BASE,
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': manifest, 'lib/a.js': now });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findLostExport({ request, sources: ['lib/a.js'], baseText: () => Promise.resolve(before) });
}

it('names an export that a source of a published package lost', async () => {
  const sentence = await found('export const area = 2;\nexport default area;\n');
  expect(sentence).toContain('lib/a.js no longer exports perimeter');
  expect(sentence).toContain('--allow lib/a.js permits it');
  expect(await found('export const area = 2;\nexport function perimeter() {}\n')).toContain(
    'exports default',
  );
});

it.each<[string, string, object?, string?]>([
  ['a repair', BASE.replace('1', '2')],
  ['names that come from another file', "export { area, perimeter, area as default } from './b.js';\n"],
  ['names that are not known', "export * from './b.js';\n"],
  ['names that a pattern declares', 'export const { area, perimeter } = own;\nexport default area;\n'],
  ['a new export', `${BASE}export const volume = 3;\n`],
  ['a private package', 'export {};\n', { name: 'kit', private: true }],
  ['a file that "exports" does not name', 'export {};\n', { name: 'kit', exports: './lib/index.js' }],
  ['a file that the package leaves out', 'export {};\n', { name: 'kit', files: ['dist'] }],
  ['a lost type', 'export {};\n', undefined, 'export {};\n'],
])('accepts %s', async (_, now, manifest, before) => {
  expect(await found(now, manifest, before)).toBeUndefined();
});
