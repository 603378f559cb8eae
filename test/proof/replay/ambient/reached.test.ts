import { expect, it } from 'vitest';
import { joined, type Changes } from '../../../../src/proof/replay/ambient/changes.ts';
import { findsChanges, mayBeSetUpBy } from '../../../../src/proof/replay/ambient/reached.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';

function finds(
  source: string,
  changes: Partial<Changes>,
  files: Readonly<Record<string, string>> = {},
): boolean {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a.ts': source, ...files });
  return findsChanges(root, 'src/a.ts', joined([changes]));
}

const PURE = 'export const add = (a: number, b: number) => a + b;\n';

it.each([
  ['a word that it does not have', PURE, { words: ['fetch'] }],
  ['a word inside of another', 'export const refetch = 1;', { words: ['fetch'] }],
  ['a module that it does not import', "import './b.ts';", { modules: ['src/c', 'fs'] }],
  [
    'packages, where it imports types alone',
    "import type { A } from 'pkg';\nimport { join } from 'node:path';",
    { packages: true },
  ],
  ['state, where it has none', PURE, { state: true }],
  ['nothing', "import 'pkg'; fetch();", {}],
])('does not find %s', (_, source, changes) => {
  expect(finds(source, changes)).toBe(false);
});

it.each([
  ['what is not known', PURE, { isUnknown: true }],
  ['a word', 'export const load = () => fetch("x");', { words: ['fetch'] }],
  ['a module', "import { b } from './b.js';", { modules: ['src/b'] }],
  ['a built-in module', "import fs from 'node:fs';", { modules: ['fs'] }],
  ['anything through a package', "import x from 'pkg';", { words: ['neverThere'] }],
  ['what is outside', "import fs from 'node:fs';", { outside: true }],
  ['state', 'let count = 0;\nexport const next = () => count++;', { state: true }],
])('finds %s', (_, source, changes) => {
  expect(finds(source, changes, { 'src/b.ts': PURE })).toBe(true);
});

it('finds what a file that it imports contains', () => {
  const files = { 'src/b.ts': 'export const load = () => fetch("x");\n' };
  expect(finds("export { load } from './b.ts';", { words: ['fetch'] }, files)).toBe(true);
});

it('knows an object that a test can change, by whatever name the code imports it', () => {
  const root = temporaryFolder();
  const from = (name: string): string =>
    `import { clock } from '${name}';\nexport const now = () => clock.now();\n`;
  writeFiles(root, {
    'package.json': '{ "imports": { "#clock": "./src/clock.js", "#in/*.js": { "default": "./src/*.js" } } }',
    'src/clock.js': 'export const clock = { now: () => Date.now() };\n',
    'src/a.js': from('./clock.js'),
    'src/b.js': from('#clock'),
    'src/c.js': from('#in/clock.js'),
    'src/d.js': from('#other'),
  });
  const set = ['a', 'b', 'c', 'd'].map((name) => mayBeSetUpBy(root, `src/${name}.js`, ['src/clock.js']));
  expect(set).toEqual([true, true, true, false]);
});
