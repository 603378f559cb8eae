import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { programAssertions } from '../../../src/proof/assertions/program-assertions.ts';
import { findUnreachedAssertion } from '../../../src/proof/assertions/unreached-assertions.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD = "import assert from 'node:assert/strict';\nimport { rows, sum } from '../src/sum.js';\n";
const IN_FUNCTION = `${HEAD}async function main() {\n  assert.equal(await sum([]), 0);\n  assert.equal(await sum([2]), 2);\n}\nmain();\n`;
const IN_LOOP = `${HEAD}for await (const row of rows()) assert.equal(row, 1);\nfor await (const row of rows()) {\n  assert.equal(row, 1);\n}\n`;
const ROWS = 'export async function* rows() { yield 1; }\n';
const RIGHT = `${ROWS}export const sum = async ([n = 0]) => n;\n`;
const WRONG = `${ROWS}export const sum = async () => 0;\n`.replace('yield 1', 'yield 2');

/** Runs its cases at once, and tells the errors itself. */
const IN_CASES = `${HEAD}const cases = [\n  async () => assert.equal(await sum([]), 0),\n  async () => assert.equal(await sum([2]), 2),\n];\nPromise.all(cases.map((run) => run())).catch(() => (process.exitCode = 1));\n`;

async function found(program: string, source: string): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'test/check.mjs': program, 'src/sum.js': source });
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal: new AbortController().signal };
  const check = createCheck(planFor('command', { args: ['node test/check.mjs'] }));
  const result = await findUnreachedAssertion(check, {
    request,
    sources: ['src/sum.js'],
    baseText: () => Promise.resolve(WRONG),
    judges: ['test/check.mjs'],
  });
  expect(readFileSync(join(root, 'test/check.mjs'), 'utf8')).toBe(program);
  expect(readFileSync(join(root, 'src/sum.js'), 'utf8')).toBe(source);
  return result;
}

it.each([
  [
    'behind a promise that never settles',
    IN_FUNCTION,
    `${ROWS}export const sum = ([n]) => (n ? new Promise(() => {}) : 0);\n`,
    5,
  ],
  [
    'of a case that waits without end',
    IN_CASES,
    `${ROWS}export const sum = ([n]) => (n ? { then() {} } : Promise.resolve(0));\n`,
    5,
  ],
  ['in a loop over nothing', IN_LOOP, RIGHT.replace('yield 1;', ''), 3],
])('names an assertion %s', async (_what, program, source, line) => {
  expect(await found(program, source)).toContain(`line ${line} of test/check.mjs`);
});

it.each([
  ['in a function', IN_FUNCTION],
  ['in a loop', IN_LOOP],
  ['in a case', IN_CASES],
])('names none %s that runs', async (_what, program) => {
  expect(await found(program, RIGHT)).toBeUndefined();
});

it('leaves out assertions that are to fail, or lie behind a condition', () => {
  const throwing = [
    'assert.throws(() => assert.equal(a, 0))',
    'assert.throws(() => {\n  assert.equal(a, 0);\n})',
  ];
  const program = `${throwing.join(';\n')};\nif (x) assert.equal(a, 1);\ntry { b(); } catch { assert.equal(a, 2); }\nassert.equal(a, 3);\nif (y) process.exit();\nassert.equal(a, 4);\nassert.equal(a, 5);\n`;
  const places = programAssertions(program);
  expect(places.map(({ from, to }) => program.slice(from, to))).toEqual([
    ...throwing,
    ...[3, 4, 5].map((n) => `assert.equal(a, ${n})`),
  ]);
  expect(places.map(({ follows }) => follows !== undefined)).toEqual([false, true, false, false, true]);
});
