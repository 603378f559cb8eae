import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChangedExpectations } from '../../../src/proof/watched/read-data.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD =
  "import assert from 'node:assert/strict';\nimport fs from 'node:fs';\nimport { test } from 'node:test';\n";
const PRODUCT =
  "import { readFileSync } from 'node:fs';\nexport const rate = () => Number(readFileSync('data/rate.txt', 'utf8'));\n";

/** The files of which a test with this body is found to read what was changed. */
async function found(
  body: string,
  data: readonly string[],
  added: readonly string[] = [],
): Promise<string[]> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/rate.js': PRODUCT,
    'src/golden.js': `${HEAD}export const matchesGolden = (value, file) => assert.equal(value, Number(fs.readFileSync(file, 'utf8')));\n`,
    'data/rate.txt': '2',
    'data/want.txt': '2',
    'test/rate.test.js': `${HEAD}import { rate } from '../src/rate.js';\ntest('rate', async () => { ${body} });\n`,
  });
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const asked = { request, files: ['test/rate.test.js'], judges: ['test/rate.test.js'], data, added };
  const tampering = await findChangedExpectations(createCheck(planFor('node')), asked);
  const expected = added.length === 0 ? 'protected_edited' : 'protected_added';
  expect(tampering.every(({ kind }) => kind === expected)).toBe(true);
  return tampering.map(({ file }) => file);
}

it.each([
  ['by its name', "assert.equal(rate(), Number(fs.readFileSync('data/want.txt', 'utf8')));"],
  [
    'by a computed name',
    "const [dir] = ['da' + 'ta']; assert.equal(rate(), Number(fs.readFileSync(dir + '/want.txt', 'utf8')));",
  ],
  ['by a promise', "assert.equal(rate(), Number(await fs.promises.readFile('data/want.txt', 'utf8')));"],
  [
    'by a helper of the product that compares',
    "const { matchesGolden } = await import('../src/golden.js'); matchesGolden(rate(), 'data/want.txt');",
  ],
  [
    'by a URL',
    "assert.equal(rate(), Number(fs.readFileSync(new URL('../data/want.txt', import.meta.url), 'utf8')));",
  ],
])('names changed data that a test reads %s', { timeout: 60_000 }, async (_how, body) => {
  expect(await found(body, ['data/want.txt', 'data/rate.txt'])).toEqual(['data/want.txt']);
});

it('names new data that a test reads', { timeout: 60_000 }, async () => {
  const body = "assert.equal(rate(), Number(fs.readFileSync('data/want.txt', 'utf8')));";
  const data = ['data/want.txt', 'data/rate.txt'];
  expect(await found(body, data, data)).toEqual(['data/want.txt']);
});

it('names no data that only the product reads', { timeout: 60_000 }, async () => {
  expect(await found('assert.equal(rate(), 2);', ['data/want.txt', 'data/rate.txt'])).toEqual([]);
});

it('runs nothing where no data was changed', async () => {
  expect(await found('assert.equal(rate(), 3);', [])).toEqual([]);
});
