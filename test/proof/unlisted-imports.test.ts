import { expect, it } from 'vitest';
import { findUnlistedImport } from '../../src/proof/unlisted-imports.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

const installed = (name: string): Record<string, object> => ({
  [`node_modules/${name}/package.json`]: { name },
});

/** What is found where `src/a.js` has these imports and had those. */
async function found(
  text: string,
  before = '',
  manifest: object = { name: 'own' },
): Promise<string | undefined> {
  const [root, editedRoot] = [temporaryFolder(), temporaryFolder()];
  const files = {
    'package.json': manifest,
    'src/a.js': text,
    'src/b.js': '',
    ...installed('glob'),
    ...installed('@x/y'),
  };
  writeFiles(root, files);
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
  ["import x from 'not-installed'; import y from '@/mapped'; import z from './virtual.js';", '', {}],
])('%s is delivered, or nothing is known about it', async (text, before, manifest) => {
  expect(await found(text, before, manifest)).toBeUndefined();
});
