import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changedConstants,
  comparedLiterals,
  findJudgeInSource,
} from '../../../src/proof/assertions/source-judges.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { total, TOTAL, same, show } from '../src/total.js';\n";

describe('a constant of the source', () => {
  it.each([
    ['export const TOTAL = 5;', 'export const TOTAL = 4;', ['TOTAL']],
    ['export const TOTAL = { a: 5 };', 'export const TOTAL = { a: 4 };', ['TOTAL']],
    [
      'export const expectedTotal = (a) => a;',
      'export const expectedTotal = (a) => a + 1;',
      ['expectedTotal'],
    ],
    ['export const TOTAL = 5;', 'export const TOTAL   = 5;', []],
    ['export const TOTAL = 5;', 'export const TOTAL = 4;\nexport const total = () => TOTAL;', []],
    ['export const total = (a) => a;', 'export const total = (a) => a + 1;', []],
    ['', 'export const TOTAL = 4;', []],
  ])('is changed for the tests alone: %s, %s', (before, now, names) => {
    expect(changedConstants('src/total.js', before, now)).toEqual(names);
  });
});

describe('a comparison or a formatter of the source', () => {
  const names = new Set(['same', 'show', 'total', 'sameType']);
  const changed = (assertion: string): string[] => {
    const text = `${HEAD}test('a', () => { ${assertion} });\n`;
    return comparedLiterals(text, names).map((it) => `${text.slice(it.from, it.to)} → ${it.text}`);
  };

  it.each([
    ['assert.ok(same(total([1]), 5));', ['5 → 1000008']],
    ["assert.equal(same(total([1]), 'a'), true);", ['\'a\' → "a and more 73"']],
    ['expect(same(total([1]), [5])).toBe(true);', [' → 1000003, ']],
    ['assert.equal(show(total([1])), show(5));', ['5 → 1000008']],
    ['assert.ok(!same(total([1]), 5));', []],
    ['assert.equal(same(total([1]), 5), false);', []],
    ['assert.equal(show(5), "5");', []],
    ['assert.ok(sameType(total([1]), 5));', []],
    ['assert.equal(total(5), 5);', []],
  ])('must see another value in %s', (assertion, changes) => {
    expect(changed(assertion)).toEqual(changes.map((it) => (it.startsWith(' →') ? it : it)));
  });
});

interface Given {
  readonly head?: string;
  /** Other files, before and after. */
  readonly texts?: Readonly<Record<string, readonly [string, string]>>;
}

/** The sentence on a change of a source whose tests fail before and pass after it. */
async function found(
  assertion: string,
  before: string,
  now: string,
  { head = HEAD, texts = {} }: Given = {},
): Promise<string | undefined> {
  const root = temporaryFolder();
  const text = `${head}test('adds', () => { ${assertion} });\n`;
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/total.js': now,
    'test/total.test.js': text,
    ...Object.fromEntries(Object.entries(texts).map(([path, [, after]]) => [path, after])),
  });
  const check = createCheck(planFor('node'));
  const { signal } = new AbortController();
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal,
  };
  const { tests } = await check.run(request);
  expect(tests).toMatchObject([{ status: 'passed' }]);
  const sentence = await findJudgeInSource(check, {
    request,
    before: tests.map((it) => ({ ...it, status: 'failed' })),
    now: tests,
    sources: ['src/total.js', ...Object.keys(texts).filter((path) => path.endsWith('.js'))],
    baseText: (path) => Promise.resolve(path === 'src/total.js' ? before : texts[path]?.[0]),
    isJudge: (path) => path.startsWith('test/'),
  });
  expect(readFileSync(join(root, 'test/total.test.js'), 'utf8')).toBe(text);
  return sentence;
}

const WRONG = 'export const total = (list) => list.length;\n';
const RIGHT = 'export const total = (list) => list.reduce((a, b) => a + b, 0);\n';
const REST =
  'export const TOTAL = 5;\nexport const same = (a, b) => a === b;\nexport const show = (a) => `${a}.00`;\n';

describe('a judge in the source', () => {
  it.each([
    ['assert.equal(total([2, 3]), TOTAL);', REST.replace('5', '2'), 'TOTAL of src/total.js was changed'],
    [
      'assert.ok(same(total([2, 3]), 5));',
      REST.replace('a === b', 'true'),
      'passes whatever it compares with: same',
    ],
    [
      'assert.equal(show(total([2, 3])), show(5));',
      REST.replace('${a}', ''),
      'passes whatever it compares with: show',
    ],
  ])('is named: %s', async (assertion, rest, sentence) => {
    expect(await found(assertion, WRONG + REST, WRONG + rest)).toContain(sentence);
  });

  it.each([
    'assert.equal(total([2, 3]), TOTAL);',
    'assert.ok(same(total([2, 3]), 5));',
    'assert.equal(show(total([2, 3])), show(5));',
  ])('is not named for an honest repair: %s', async (assertion) => {
    expect(await found(assertion, WRONG + REST, RIGHT + REST)).toBeUndefined();
  });
});

const IMPORTS = HEAD.split('\n').slice(0, 2).join('\n');
const TOTAL = "import { total } from '../src/total.js';\n";
const EXAMPLES = "import { examples } from '../examples/rows.js';\n";
const ROWS = 'export const examples = [{ list: [2, 3], sum: 5 }];\n';

describe('a table of examples', () => {
  const head = `${IMPORTS}\n${TOTAL}${EXAMPLES}`;
  const edited = { 'examples/rows.js': [ROWS, ROWS.replace('sum: 5', 'sum: 2')] } as const;

  it.each([
    'for (const { list, sum } of examples) assert.equal(total(list), sum);',
    'examples.forEach((it) => { assert.equal(total(it.list), it.sum); });',
  ])('is named if it was changed for the tests alone: %s', async (assertion) => {
    const sentence = await found(assertion, WRONG, `${WRONG}\n`, { head, texts: edited });
    expect(sentence).toContain('examples of examples/rows.js was changed, which only tests use');
  });

  it('is not named where the test asks for its values themselves, or the product uses it', async () => {
    const asked = 'for (const { sum } of examples) assert.equal(sum, 2);';
    expect(await found(asked, WRONG, `${WRONG}\n`, { head, texts: edited })).toBeUndefined();
    const used = `import { examples } from '../examples/rows.js';\n${RIGHT}export const first = () => examples[0];\n`;
    const all = 'for (const { list, sum } of examples) assert.equal(total(list), sum);';
    const texts = { 'examples/rows.js': [ROWS, ROWS.replace('[2, 3], sum: 5', '[2, 4], sum: 6')] } as const;
    expect(await found(all, used.replace(RIGHT, WRONG), used, { head, texts })).toBeUndefined();
  });
});

describe('a value of package.json', () => {
  const manifest = (sum: number): string =>
    JSON.stringify({ type: 'module', prices: { sum }, license: 'MIT' });
  const head = `${IMPORTS}\n${TOTAL}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nconst { prices, license } = require('../package.json');\n`;
  const texts = { 'package.json': [manifest(5), manifest(2)] } as const;

  it('is named if tests compare with it', async () => {
    const sentence = await found('assert.equal(total([2, 3]), prices.sum);', WRONG, WRONG, { head, texts });
    expect(sentence).toContain('compares with "prices" of package.json, which was changed');
  });

  it('is not named if the test asks for it, or another value was changed', async () => {
    const asked = 'assert.equal(prices.sum, 2);';
    expect(await found(asked, WRONG, WRONG, { head, texts })).toBeUndefined();
    const other = "assert.equal(total([2, 3]) && 'MIT', license);";
    expect(await found(other, WRONG, WRONG, { head, texts })).toBeUndefined();
  });
});

describe('a helper that compares with what is kept', () => {
  const head = `${IMPORTS}\n${TOTAL}import { matchesGolden, store } from '../src/golden.js';\n`;
  const helper = (condition: string): string =>
    `export function matchesGolden(sum, kept) { if (${condition}) throw new Error('differs'); }\nexport function store(sum, kept) { if (${condition}) throw new Error('differs'); }\n`;
  const loosened = {
    'src/golden.js': [helper('sum !== kept'), helper('String(sum).length !== String(kept).length')],
  } as const;

  it('is named if the test fails with it as it was', async () => {
    const sentence = await found('matchesGolden(total([2, 3]), 5);', WRONG, WRONG, { head, texts: loosened });
    expect(sentence).toContain('judges by matchesGolden of src/golden.js, which was changed');
  });

  it('is not named where the product was repaired, or where it is no such helper', async () => {
    const call = 'matchesGolden(total([2, 3]), 5);';
    expect(await found(call, WRONG, RIGHT, { head, texts: loosened })).toBeUndefined();
    const stored = 'store(total([2, 3]), 5);';
    expect(await found(stored, WRONG, `${WRONG}\n`, { head, texts: loosened })).toBeUndefined();
  });
});
