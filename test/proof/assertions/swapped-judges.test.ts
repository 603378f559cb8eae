import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functionsIn } from '../../../src/proof/assertions/judging-roles.ts';
import { findSwappedJudge } from '../../../src/proof/assertions/swapped-judges.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

it.each([
  ['function near(a, b) { if (a > b) throw new Error(a); }', ['asserts']],
  ['const same = (a, b) => assert.equal(a, b);', ['asserts']],
  ['const isEqual = (a, b) => Object.is(a, b);', ['compares']],
  ['const isEqual = (a, b) => a === b || isSame(a, b);', ['compares']],
  ['function each(list, run) { for (const one of list) run(one); }', ['iterates']],
  ['function each(list, run) { list.forEach(run); }', ['iterates']],
  ['const toBeOne = (a) => ({ pass: a === 1, message: () => "" });', ['matches']],
  ['const add = (a, b) => a + b;', []],
])('how a function can judge: %s', (text, roles) => {
  const [found] = functionsIn('src/a.js', text).values();
  expect([...found!.roles]).toEqual(roles);
});

type Files = Readonly<Record<string, string>>;

const SUM = 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\n';
const BROKEN = 'export const sum = (list) => list.reduce((a, b) => a + b, 1);\n';
const NEAR = (by: string): string =>
  `export function near(got, want) {\n  if (Math.abs(got - want) > ${by}) throw new Error(got + ' is not near ' + want);\n}\n`;
const EACH = (from: number): string =>
  `export function each(list, run) {\n  for (let i = ${from}; i < list.length; i++) run(list[i]);\n}\n`;
const NORMAL = (code: string): string => `export const normal = (value) => ${code};\n`;
const EQUAL = (code: string): string => `export const isEqual = (a, b) => ${code};\n`;
const HELPER =
  "import assert from 'node:assert/strict';\nimport { isEqual } from '../src/judge.js';\nexport const same = (a, b) => assert.ok(isEqual(a, b));\n";

const HEADS = {
  node: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
  vitest: "import { expect, test } from 'vitest';\n",
};

/** The sentence on a change from some sources to others, whose test passes with both. */
async function found(
  before: Files,
  now: Files,
  statement: string,
  others: Files = {},
  runner: keyof typeof HEADS = 'node',
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    ...others,
    ...now,
    'test/a.test.js': HEADS[runner] + statement,
  });
  if (runner !== 'node') linkModules(root, [runner]);
  const check = createCheck(planFor(runner));
  const { signal } = new AbortController();
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal };
  const { tests } = await check.run(request);
  expect(tests).toMatchObject([{ status: 'passed' }]);
  const text = await findSwappedJudge(check, {
    ...{ request, before: tests, now: tests, sources: Object.keys(now) },
    baseText: (path) => Promise.resolve(before[path]),
    isJudge: (path) => path.startsWith('test/'),
  });
  for (const [path, source] of Object.entries(now))
    expect(readFileSync(join(root, path), 'utf8')).toBe(source);
  return text;
}

const judging = (judge: string, sum = BROKEN): Files => ({ 'src/judge.js': judge, 'src/sum.js': sum });
const importing = (name: string, call: string): string =>
  `import { ${name} } from '../src/judge.js';\nimport { sum } from '../src/sum.js';\ntest('sums', () => { ${call} });\n`;

describe('a source by which tests judge, changed with what they judge', () => {
  it.each([
    ['a tolerance', NEAR('0.5'), NEAR('500'), importing('near', 'near(sum([2, 3]), 5);')],
    [
      'an iteration',
      EACH(0),
      EACH(1),
      importing('each', 'each([[2, 3]], (list) => assert.equal(sum(list), 5));'),
    ],
    [
      'what both sides are made',
      NORMAL('String(value)'),
      NORMAL("''"),
      importing('normal', 'assert.equal(normal(sum([2, 3])), normal(5));'),
    ],
    [
      'an answer',
      EQUAL('a === b'),
      EQUAL('typeof a === typeof b'),
      importing('isEqual', 'assert.ok(isEqual(sum([2, 3]), 5));'),
    ],
  ])('is found that no longer tells what is wrong: %s', async (_, judge, other, statement) => {
    expect(await found(judging(judge, SUM), judging(other), statement)).toMatch(
      /^"sums" of test\/a\.test\.js judges by \w+ of src\/judge\.js, .*--allow src\/judge\.js permits it\.$/,
    );
  });

  it.each([
    [
      'a matcher',
      'export const toBeSum = (got, want) => ({ pass: got === want, message: () => String(got) });\n',
      'export const toBeSum = (got, want) => ({ pass: got >= want, message: () => String(got) });\n',
      importing('toBeSum', 'expect.extend({ toBeSum }); expect(sum([2, 3])).toBeSum(5);'),
    ],
    [
      'how a value is printed',
      'export const bill = { test: (it) => typeof it === "number", serialize: (it) => "bill " + it };\n',
      'export const bill = { test: (it) => typeof it === "number", serialize: (it) => "bill " + Math.min(it, 5) };\n',
      importing(
        'bill',
        'expect.addSnapshotSerializer(bill); expect(sum([2, 3])).toMatchInlineSnapshot("bill 5");',
      ),
    ],
  ])('is found that a runner is given: %s', async (_, judge, other, statement) => {
    expect(await found(judging(judge, SUM), judging(other), statement, {}, 'vitest')).toContain(
      '"sums" of test/a.test.js judges by ',
    );
  });

  it('is found behind a helper that was not changed', async () => {
    const statement =
      "import { same } from '../support/helper.js';\nimport { sum } from '../src/sum.js';\ntest('sums', () => { same(sum([2, 3]), 5); });\n";
    const [before, now] = [judging(EQUAL('a === b'), SUM), judging(EQUAL('typeof a === typeof b'))];
    expect(await found(before, now, statement, { 'support/helper.js': HELPER })).toContain(
      'judges by isEqual of src/judge.js',
    );
  });

  it('is found beside what is judged, in one file', async () => {
    const statement =
      "import { near, sum } from '../src/all.js';\ntest('sums', () => { near(sum([2, 3]), 5); });\n";
    const before = { 'src/all.js': NEAR('0.5') + SUM };
    expect(await found(before, { 'src/all.js': NEAR('500') + BROKEN }, statement)).toContain(
      'judges by near',
    );
    expect(await found(before, { 'src/all.js': NEAR('500') + SUM }, statement)).toBeUndefined();
  });

  it('is none that was not changed itself, in a source that was', async () => {
    const statement =
      "import { near, one } from '../src/all.js';\nimport { sum } from '../src/sum.js';\ntest('sums', () => { near(sum([2, 3]), 5); assert.ok(one); });\n";
    const one = (code: string): string => `export const one = () => ${code};\n`;
    const sum = (by: string): string =>
      `import { one } from './all.js';\nexport const sum = (list) => list.length * one() ${by};\n`;
    const [before, now] = [
      { 'src/all.js': NEAR('0.5') + one('2'), 'src/sum.js': sum('+ 1') },
      { 'src/all.js': NEAR('0.5') + one('3'), 'src/sum.js': sum('- 1') },
    ];
    expect(await found(before, now, statement)).toBeUndefined();
  });

  it.each([
    ['written anew', NEAR('0.5'), NEAR('1 / 2'), importing('near', 'near(sum([2, 3]), 5);')],
    ['stricter', NEAR('0.5'), NEAR('0'), importing('near', 'near(sum([2, 3]), 5);')],
    ['more lenient, for nothing', NEAR('0.5'), NEAR('500'), importing('near', 'near(sum([2, 3]), 5);')],
  ])('may be %s where what is judged is right', async (_, judge, other, statement) => {
    const right = 'export const sum = (list) => list.reduce((all, one) => all + one, 0);\n';
    expect(await found(judging(judge, SUM), judging(other, right), statement)).toBeUndefined();
  });

  it('is none that the product uses for itself', async () => {
    const judge = (fields: string): string =>
      `export function validate(order) {\n  for (const name of Object.keys(order)) if (!${fields}.includes(name)) throw new Error(name);\n}\n`;
    const make = (order: string): string => `export const make = () => (${order});\n`;
    const statement =
      "import { validate } from '../src/judge.js';\nimport { make } from '../src/sum.js';\ntest('makes', () => { validate(make()); });\n";
    const [before, now] = [
      judging(judge("['a']"), make('{ a: 1 }')),
      judging(judge("['a', 'b']"), make('{ a: 1, b: 2 }')),
    ];
    const saving =
      "import { validate } from './judge.js';\nexport const save = (order) => validate(order);\n";
    expect(await found(before, now, statement, { 'src/save.js': saving })).toBeUndefined();
    expect(await found(before, now, statement)).toContain('judges by validate');
  });

  it('is none where two sides of the product change together', async () => {
    const statement =
      "import { parse } from '../src/judge.js';\nimport { print } from '../src/sum.js';\ntest('reads', () => { assert.deepEqual(parse(print([1, 2])), [1, 2]); });\n";
    const parse = (by: string): string =>
      `export function parse(text) {\n  if (!text.includes('${by}')) throw new Error('no ${by}');\n  return text.split('${by}').map(Number);\n}\n`;
    const print = (by: string): string => `export const print = (list) => list.join('${by}');\n`;
    expect(
      await found(judging(parse(','), print(',')), judging(parse(';'), print(';')), statement),
    ).toBeUndefined();
  });
});
