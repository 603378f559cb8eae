import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLostEntry } from '../../../src/proof/delivery/lost-entries.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

type Texts = Readonly<Record<string, string>>;

const TEST = { 'test/a.test.js': "import { add } from '../src/add.js';" };
const BASE = {
  'package.json': '{ "main": "src/index.js", "bin": { "kit": "bin/kit.js" } }',
  'src/index.js': "export { add } from './add.js';",
  'bin/kit.js': "import { add } from '../src/index.js';",
  'src/add.js': 'export const add = (a, b) => a - b;',
};
const FIXED = { 'src/add.js': 'export const add = (a, b) => a + b;' };
const COPY = { 'src/compat.js': BASE['src/add.js'] };

async function found(edits: Texts, base: Texts = BASE): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { ...TEST, ...base, ...edits });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const sources = Object.keys(edits).filter((path) => path !== 'package.json');
  const baseText = (path: string): Promise<string | undefined> =>
    Promise.resolve(path in edits ? base[path] : undefined);
  const sentence = await findLostEntry({ request, sources, baseText }, ['test/a.test.js']);
  // The sources of the change are put back.
  expect(sources.every((path) => existsSync(join(root, path)))).toBe(true);
  return sentence;
}

it.each<[string, Texts, string]>([
  [
    'the entry is an old copy',
    { ...COPY, 'src/index.js': "export { add } from './compat.js';" },
    'src/index.js, to which "main"',
  ],
  ['a program is', { ...COPY, 'bin/kit.js': "import { add } from '../src/compat.js';" }, '"bin.kit"'],
  [
    'a new kind of entry is',
    { ...COPY, 'package.json': '{ "main": "src/index.js", "module": "src/compat.js" }' },
    'src/compat.js, to which "module"',
  ],
  ['another file is named', { ...COPY, 'package.json': '{ "main": "src/compat.js" }' }, '"main"'],
])('names the entry where %s', async (_, edits, text) => {
  const sentence = await found({ ...FIXED, ...edits });
  expect(sentence).toContain(text);
  expect(sentence).toContain('--allow src/add.js permits it');
});

it.each<[string, Texts, Texts?]>([
  ['the repair is where the entry leads', FIXED],
  [
    'one of several targets led to something else before',
    FIXED,
    {
      ...BASE,
      'package.json': '{ "exports": { ".": { "import": "./src/index.js", "require": "./src/old.cjs" } } }',
      'src/old.cjs': 'module.exports = {};',
    },
  ],
  [
    'the code moves to a file that both reach',
    { 'src/sum.js': FIXED['src/add.js'], 'src/add.js': "export { add } from './sum.js';" },
  ],
  [
    'the entry takes the moved code directly',
    {
      'src/sum.js': FIXED['src/add.js'],
      'src/add.js': "export { add } from './sum.js';",
      'src/index.js': "export { add } from './sum.js';",
    },
  ],
  ['there is no entry', FIXED, { ...BASE, 'package.json': '{}' }],
  [
    'the entry never led there',
    { ...FIXED, 'src/index.js': 'export const version = 2;' },
    { ...BASE, 'src/index.js': 'export const version = 1;', 'bin/kit.js': '' },
  ],
  [
    'the entry is built from the source',
    FIXED,
    { ...BASE, 'package.json': '{ "exports": { ".": "./dist/index.js" } }' },
  ],
  [
    'a subpath is added',
    {
      ...FIXED,
      'src/extra.js': 'export const extra = 1;',
      'package.json':
        '{ "main": "src/index.js", "exports": { ".": "./src/index.js", "./extra": "./src/extra.js" } }',
    },
  ],
])('has nothing to say where %s', async (_, edits, base) => {
  expect(await found(edits, base)).toBeUndefined();
});
