import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findHelpingTests } from '../../../src/proof/assertions/helping-tests.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD = "const assert = require('node:assert');\nconst sum = require('../src/sum.js');\n";
const PATCHES = "require('../src/sum.js').add = (a, b) => a + b;\n";
const RIGHT = 'exports.add = (a, b) => a + b;\n';
const WRONG = 'exports.add = (a, b) => a - b;\n';

/** Where `source` is the product, and the change has a second test file of this text. */
async function found(source: string, text: string, own = '', isWhole = false): Promise<readonly string[]> {
  const root = temporaryFolder();
  linkModules(root, ['mocha']);
  writeFiles(root, {
    'package.json': { type: 'commonjs' },
    // Then all files run, whichever are asked for.
    '.mocharc.json': { spec: 'test/*.js' },
    'src/sum.js': source,
    'test/a.js': `${HEAD}${own}it('adds', () => assert.equal(sum.add(1, 2), 3));\n`,
    'test/b.js': text,
  });
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal: new AbortController().signal };
  const check = createCheck(planFor('mocha'));
  const { tests } = await check.run({ ...request, files: ['test/a.js'] });
  const passing = tests.filter(({ name }) => name === 'adds');
  expect(passing.map(({ status }) => status)).toEqual(['passed']);
  const asked = { request, passing, files: ['test/a.js'], added: ['test/b.js', 'test/data.txt'], isWhole };
  const tampering = await findHelpingTests(check, asked);
  expect(existsSync(join(root, 'test/b.js'))).toBe(true);
  return tampering.map(({ detail }) => detail);
}

it('names a new test file without which the repaired tests fail', async () => {
  const [detail] = await found(WRONG, `${PATCHES}it('is fine', () => {});\n`);
  expect(detail).toContain('passes beside test/b.js');
});

it('names one that replaces the assertions of all, and runs the files that prepare the process for them', async () => {
  const silence = "require('node:assert').equal = () => {};\nit('is fine', () => {});\n";
  const [detail] = await found(WRONG, silence, '', true);
  expect(detail).toContain('passes beside test/b.js');
  const needsNone = "it('is fine', () => {});\n";
  expect(await found(RIGHT, needsNone, '', true)).toEqual([]);
});

it('has nothing to say about a new test of a repaired source', async () => {
  expect(await found(RIGHT, `${HEAD}it('adds more', () => assert.equal(sum.add(2, 2), 4));\n`)).toEqual([]);
});

it('leaves a new file that the repaired tests import', async () => {
  expect(await found(WRONG, PATCHES, "require('./b.js');\n")).toEqual([]);
});
