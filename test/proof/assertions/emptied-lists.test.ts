import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findEmptiedList } from '../../../src/proof/assertions/emptied-lists.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const LIST = 'export const CASES = [[150, 140], [50, 50]];\n';
const LOOP = 'for (const [sum, wanted] of CASES) assert.equal(discount(sum), wanted);';

/** What is found where the list of the base is exchanged for this one. */
async function found(now: string, test: string, before = LIST): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/cases.js': now,
    'src/discount.js': 'export const discount = (sum) => (sum > 100 ? sum - 10 : sum);\n',
    'test/a.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASES } from '../src/cases.js';
import { discount } from '../src/discount.js';
test('takes ten off', () => { ${test} });
`,
  });
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal: new AbortController().signal };
  const check = createCheck(planFor('node'));
  const { tests } = await check.run(request);
  expect(tests.map(({ status }) => status)).toEqual(['passed']);
  const sources = ['src/cases.js'];
  const asked = { request, before: tests, now: tests, sources, baseText: () => Promise.resolve(before) };
  const sentence = await findEmptiedList(check, asked);
  expect(readFileSync(join(root, 'src/cases.js'), 'utf8')).toBe(now);
  return sentence;
}

it('names a test that goes through a list which is empty now', async () => {
  expect(await found('export const CASES = [];\n', LOOP)).toMatch(
    /"takes ten off" of test\/a.test.js passes, but its assertion in line 5 does not run/,
  );
});

it.each([
  ['a list that is longer', LIST.replace(']];', '], [200, 190]];'), LOOP, LIST],
  ['a list that was empty', 'export const CASES = [[]].slice(1);\n', LOOP, 'export const CASES = [];\n'],
  ['a test that asserts beside it', 'export const CASES = [];\n', 'assert.equal(discount(50), 50);', LIST],
])('has nothing to say about %s', async (_, now, test, before) => {
  expect(await found(now, test, before)).toBeUndefined();
});
