import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { findUnlistedImport } from '../../../src/proof/delivery/unlisted-imports.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const installed = (name: string): Record<string, object> => ({
  [`node_modules/${name}/package.json`]: { name },
});

/** What is found where `src/a.js` has these imports and had those. */
async function found(
  text: string,
  before = '',
  manifest: object = { name: 'own' },
  more: Readonly<Record<string, string>> = {},
  prepare: (root: string) => void = () => undefined,
): Promise<string | undefined> {
  const [root, editedRoot] = [temporaryFolder(), temporaryFolder()];
  const files = {
    'package.json': manifest,
    'src/a.js': text,
    ...more,
    'src/b.js': '',
    'lib/d.js': '',
    'lib/index.js': '',
    ...installed('glob'),
    ...installed('@x/y'),
  };
  writeFiles(root, files);
  prepare(root);
  writeFiles(editedRoot, { ...files, 'src/node_modules/c.js': '', 'coverage/c.js': '' });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findUnlistedImport({
    request,
    editedRoot,
    sources: ['src/a.js'],
    baseText: () => Promise.resolve(before),
  });
}

it.each([
  [
    "import { glob } from 'glob';",
    'src/a.js imports glob, which is installed, but which no package.json lists',
  ],
  ["const { y } = require('@x/y/deep');", 'src/a.js imports @x/y, which is installed'],
  ["await import('glob');", 'imports glob'],
  ["export * from './node_modules/c.js';", 'src/a.js imports src/node_modules/c.js, which git ignores'],
  ["export * from '../coverage/c.js';", 'imports coverage/c.js, which git ignores'],
])('%s is not delivered', async (text, sentence) => {
  expect(await found(text)).toContain(sentence);
  expect(await found(text)).toMatch(/--allow src\/a\.js permits it\.$/);
});

it.each([
  ["import { glob } from 'glob';", '', { dependencies: { glob: '1' } }],
  ["import { glob } from 'glob';", '', { devDependencies: { glob: '1' } }],
  ["import { glob } from 'glob';\n// more", "import { glob } from 'glob';", {}],
  [
    "import 'node:fs'; import path from 'path'; import './b.js'; import '#own'; import 'own/part';",
    '',
    { name: 'own' },
  ],
  ["readFileSync(new URL('../lib/d.js', import.meta.url));", '', { name: 'own' }],
  ["f('./no-such.json', './b.js');", '', { name: 'own' }],
  ["import x from 'not-installed'; import y from '@/mapped'; import z from './virtual.js';", '', {}],
])('%s is delivered, or nothing is known about it', async (text, before, manifest) => {
  expect(await found(text, before, manifest)).toBeUndefined();
});

const PACKAGE = { name: 'own', type: 'module', exports: './src/a.js' };

it.each<[string, object, string]>([
  ["import '../lib/d.js';", { ...PACKAGE, files: ['src'] }, 'which the package does not deliver'],
  ["import './b.js';", { ...PACKAGE, files: ['src', '!src/b.js'] }, 'which the package does not deliver'],
  [
    "readFileSync(new URL('../lib/d.js', import.meta.url));",
    { ...PACKAGE, files: ['src'] },
    'src/a.js names lib/d.js, which the package does not deliver',
  ],
  ["import './b';", PACKAGE, 'and Node does not'],
  ["import '../lib';", PACKAGE, 'and Node does not'],
  ["import text from './b.js?raw';", PACKAGE, 'and Node does not'],
])('%s does not reach the users of the package', async (text, manifest, sentence) => {
  expect(await found(text, '', manifest)).toContain(sentence);
});

it.each<[string, string, object]>([
  ["import './b.js';", '', { ...PACKAGE, files: ['src'] }],
  ["import './b.js';", '', { ...PACKAGE, files: ['src/*.js'] }],
  ["import '../lib/d.js';", '', { ...PACKAGE, files: ['lib'] }],
  ["import './b'; import '../lib';", "import '../lib';", PACKAGE],
  ["import './b';", '', { ...PACKAGE, devDependencies: { vite: '1' } }],
  ["require('./b');", '', { name: 'own', main: 'src/a.js' }],
  ["import './b';", '', { name: 'own', type: 'module', main: 'dist/a.js' }],
])('%s reaches them, or nothing is known about it', async (text, before, manifest) => {
  expect(await found(text, before, manifest)).toBeUndefined();
});

it('lets a new source import as the sources beside it do', async () => {
  expect(await found("import './b';", '', PACKAGE, { 'src/e.js': "import './b';" })).toBeUndefined();
});

const isRepository = (root: string): void => {
  execFileSync('git', ['init', '-q'], { cwd: root });
};

it('names TypeScript that JavaScript of a published package imports', async () => {
  const more = { 'src/c.ts': '' };
  expect(await found("import './c.ts';", '', { name: 'own' }, more)).toContain(
    'strips no types below node_modules',
  );
  expect(await found("import './c.ts';", '', { name: 'own', private: true }, more)).toBeUndefined();
  expect(
    await found("import './c.ts'; import './d.ts';", "import './d.ts';", { name: 'own' }, more),
  ).toBeUndefined();
});

it.each<[string, Readonly<Record<string, string>>, string]>([
  ["require('./b.js.orig');", { 'src/b.js.orig': '' }, 'which the package does not deliver'],
  [
    "createRequire(import.meta.url)('./._b.cjs');",
    { 'src/._b.cjs': '' },
    'which the package does not deliver',
  ],
  ["await import('./CVS/b.js');", { 'src/CVS/b.js': '' }, 'which the package does not deliver'],
  ["await import('./b.js');", { '.gitignore': 'src/b.js\n' }, 'which the package does not deliver'],
  [
    "await import('./c/b.js');",
    { 'src/c/b.js': '', 'src/c/.npmignore': 'b.js\n' },
    'which the package does not deliver',
  ],
  ["await import('./b.js');", { '.gitattributes': 'src/b.js export-ignore\n' }, 'export-ignore'],
  [
    "await import('./c/b.js');",
    { 'src/c/b.js': '', '.gitattributes': 'src/c export-ignore\n' },
    'export-ignore',
  ],
])('%s is left out where the change is packed', async (text, more, sentence) => {
  expect(await found(text, '', { name: 'own' }, more, isRepository)).toContain(sentence);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["import './b.js';", { '.gitignore': 'dist\n', '.npmignore': 'test\n' }],
  ["import './b.js';", { '.npmignore': 'src\n' }],
  [
    "import './original.js'; require('./b.js');",
    { 'src/original.js': '', '.gitattributes': 'test export-ignore\n* text=auto\n' },
  ],
])('%s is packed, or its importer is not', async (text, more) => {
  expect(await found(text, '', { name: 'own' }, more, isRepository)).toBeUndefined();
});
