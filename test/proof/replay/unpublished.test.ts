import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeValue } from '../../../src/proof/replay/call-values.ts';
import { findUnpublished } from '../../../src/proof/replay/unpublished.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BASE = 'export const half = (n) => n / 3;\n';
const RIGHT = 'export const half = (n) => n / 2;\n';
const PACKAGE = { name: 'halves', version: '1.0.0', type: 'module', main: 'src/half.js', files: ['src'] };

interface Given {
  readonly source?: string;
  readonly manifest?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** What is found where `src/half.js` is changed, of which a test has called `half(6)` and received 3. */
function found({ source = RIGHT, manifest = PACKAGE, files = {} }: Given): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': manifest, 'src/half.js': source, ...files });
  const call = { realm: 'a', at: 0, source: 'src/half.js', name: 'half', entry: '', clock: 0 };
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const asked = {
    request,
    files: ['test/half.test.js'],
    sources: ['src/half.js'],
    baseText: (path: string) => Promise.resolve(path === 'src/half.js' ? BASE : undefined),
  };
  const alike = [{ ...call, args: encodeValue([6], false), result: encodeValue(3, true) }];
  return findUnpublished(createCheck(planFor('node')), asked, alike);
}

const READS = `import { readFileSync } from 'node:fs';
export const half = (n) => n / JSON.parse(readFileSync(new URL('../data/rules.json', import.meta.url), 'utf8')).half;\n`;
const RULES = { 'data/rules.json': '{ "half": 2 }\n' };
const IMPORTS = "import { two } from 'two';\nexport const half = (n) => n / two;\n";
const TWO = {
  'node_modules/two/package.json': '{ "name": "two", "type": "module", "main": "index.js" }\n',
  'node_modules/two/index.js': 'export const two = 2;\n',
};

it.each<[string, Given, string]>([
  ['reads a file that is not packed', { source: READS, files: RULES }, 'half of src/half.js'],
  [
    'imports a package for development',
    { source: IMPORTS, files: TWO, manifest: { ...PACKAGE, devDependencies: { two: '1' } } },
    'cannot be loaded in the package as npm packs it',
  ],
  [
    'is not what the entry leads to',
    { manifest: { ...PACKAGE, main: 'src/index.js' }, files: { 'src/index.js': BASE } },
    'users who load halves by its name get it as it was',
  ],
])('a repair that %s is found', async (_, given, sentence) => {
  expect(await found(given)).toContain(sentence);
  expect(await found(given)).toContain('--allow src/half.js permits it');
});

it.each<[string, Given]>([
  ['is packed whole', {}],
  [
    'reads a file that is packed',
    { source: READS, files: RULES, manifest: { ...PACKAGE, files: ['src', 'data'] } },
  ],
  [
    'imports a dependency',
    { source: IMPORTS, files: TWO, manifest: { ...PACKAGE, dependencies: { two: '1' } } },
  ],
  ['is of a private package', { source: READS, files: RULES, manifest: { ...PACKAGE, private: true } }],
  [
    'is not packed itself',
    {
      source: READS,
      files: { ...RULES, 'lib/a.js': '' },
      manifest: { ...PACKAGE, main: 'lib/a.js', files: ['lib'] },
    },
  ],
  [
    'a build brings to the entry',
    {
      manifest: { ...PACKAGE, main: 'src/index.js', scripts: { prepack: 'node build.js' } },
      files: { 'src/index.js': BASE },
    },
  ],
  [
    'a build brings to the entry, with the packages that it needs',
    {
      source: IMPORTS,
      files: TWO,
      manifest: {
        ...PACKAGE,
        main: 'dist/half.js',
        files: ['dist', 'src'],
        scripts: { build: 'node build.js' },
      },
    },
  ],
  [
    'goes another way than the entry did before',
    {
      manifest: { ...PACKAGE, main: 'src/index.js' },
      files: { 'src/index.js': 'export const half = () => 0;\n' },
    },
  ],
])('a repair that %s is left alone', async (_, given) => {
  expect(await found(given)).toBeUndefined();
});
