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

/** The sentence on a change of a source whose tests fail before and pass after it. */
async function found(assertion: string, before: string, now: string): Promise<string | undefined> {
  const root = temporaryFolder();
  const text = `${HEAD}test('adds', () => { ${assertion} });\n`;
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/total.js': now, 'test/total.test.js': text });
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
    sources: ['src/total.js'],
    baseText: () => Promise.resolve(before),
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
