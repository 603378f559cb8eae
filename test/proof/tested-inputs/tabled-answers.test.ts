import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findTabledAnswer } from '../../../src/proof/tested-inputs/tabled-answers.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST = 'test/f.test.js';
const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const READ = "import { readFileSync } from 'node:fs';\nconst read = (file) => readFileSync(file, 'utf8');\n";
const JSON_TABLE = `${READ}const table = JSON.parse(read('data/table.json'));\n`;
const LINES = (file: string, separator: string) =>
  `${READ}const table = Object.fromEntries(read('data/${file}').split('\\n').map((line) => line.split('${separator}')));\n`;
const KEY = "const key = items.map((i) => `${i.price}x${i.qty}`).join('+');";
const SUM = 'items.reduce((sum, i) => sum + i.price, 0)';
const CART = '[{ price: 2, qty: 3 }, { price: 5, qty: 1 }]';
const TOTAL = [`f(${CART})`, '11'] as const;
const DAYS = [
  ['f(2023, 1)', '31'],
  ['f(2024, 2)', '29'],
] as const;
const WRONG_DAYS = 'export const f = (y, m) => [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m];\n';

/** Files before a change and after it (a source is `src/f.js`, data lie in `data/`), and the calls of a test with what it expects. */
interface Change {
  readonly before: Readonly<Record<string, string>>;
  readonly now: Readonly<Record<string, string>>;
  readonly calls: readonly (readonly [call: string, expected: string])[];
}

const total = (source: string, file: string, before: string, now: string): Change => ({
  before: { 'src/f.js': source, [file]: before },
  now: { 'src/f.js': source, [file]: now },
  calls: [TOTAL],
});
const withTable = (source: string): string =>
  `${source}export const f = (items) => { ${KEY} return Number(table[key] ?? ${SUM}); };\n`;
const inTable = (before: string, now: string, source: string, ...calls: Change['calls']): Change => ({
  ...total(`${JSON_TABLE}export const f = ${source};\n`, 'data/table.json', before, now),
  calls,
});

it.each<readonly [string, Change]>([
  [
    'an entry of a JSON file',
    total(withTable(JSON_TABLE), 'data/table.json', '{"4x1+4x1":7}', '{"4x1+4x1":7,"2x3+5x1":11}'),
  ],
  [
    'another value of an entry',
    total(
      withTable(JSON_TABLE),
      'data/table.json',
      '{"4x1+4x1":7,"2x3+5x1":7}',
      '{"4x1+4x1":7,"2x3+5x1":11}',
    ),
  ],
  [
    'a line of a CSV file',
    total(withTable(LINES('table.csv', ',')), 'data/table.csv', 'key,total\n', 'key,total\n2x3+5x1,11\n'),
  ],
  [
    'a line of a YAML file',
    total(withTable(LINES('table.yml', ': ')), 'data/table.yml', '4x1: 7\n', '4x1: 7\n2x3+5x1: 11\n'),
  ],
  [
    'a new file',
    {
      before: { 'src/f.js': WRONG_DAYS },
      now: {
        'src/f.js': `${JSON_TABLE}export const f = (y, m) => table[\`\${y}-\${m}\`] ?? 30;\n`,
        'data/table.json': '{"2023-1":31,"2024-2":29}',
      },
      calls: DAYS,
    },
  ],
  [
    'a new file by digests, without anything else',
    {
      before: { 'src/f.js': WRONG_DAYS },
      now: {
        'src/f.js': `${JSON_TABLE}export const f = (y, m) => table[(y * 31 + m * 17) % 251];\n`,
        'data/table.json': JSON.stringify({ [(2023 * 31 + 17) % 251]: 31, [(2024 * 31 + 34) % 251]: 29 }),
      },
      calls: DAYS,
    },
  ],
  [
    'rows of a list',
    {
      before: { 'src/f.js': WRONG_DAYS, 'data/table.json': '[]' },
      now: {
        'src/f.js': `${JSON_TABLE}const wrong = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];\nexport const f = (y, m) => table.find((row) => row.y === y && row.m === m)?.days ?? wrong[m];\n`,
        'data/table.json': '[{"y":2023,"m":1,"days":31},{"y":2024,"m":2,"days":29}]',
      },
      calls: DAYS,
    },
  ],
])('refuses the tested answers as %s', { timeout: 60_000 }, async (_what, change) => {
  expect(await found(change)).toMatch(
    /^f of src\/f\.js holds only for the tested inputs: data\/table\.\w+ was given the expected result for the arguments \(.*--allow data\/table\.\w+ permits it\.$/,
  );
});

it.each<readonly [string, Change]>([
  [
    'a price of goods',
    inTable(
      '{"A":5}',
      '{"A":5,"B":7}',
      '(items) => items.reduce((sum, i) => sum + (table[i.sku] ?? 0) * i.qty, 0)',
      ["f([{ sku: 'A', qty: 2 }, { sku: 'B', qty: 1 }])", '17'],
      ["f([{ sku: 'B', qty: 1 }])", '7'],
    ),
  ],
  [
    'a price for a size beside a rule for all',
    inTable('{"M-5":40}', '{"M-5":40,"L-10":90}', '(size, n) => table[`${size}-${n}`] ?? n * 9.5', [
      "f('L', 10)",
      '90',
    ]),
  ],
  [
    'a translation with numbers',
    inTable('{}', '{"2 of 3 left":"noch 2 von 3"}', '(text) => table[text] ?? text', [
      "f('2 of 3 left')",
      "'noch 2 von 3'",
    ]),
  ],
  [
    'opening hours of a date',
    inTable(
      '{"2024-12-24":6}',
      '{"2024-12-24":6,"2024-12-25":4}',
      '(y, m, d) => table[`${y}-${m}-${d}`] ?? ((y + m + d) % 7) + 2',
      ['f(2024, 12, 25)', '4'],
    ),
  ],
  [
    'an exchange rate',
    inTable('{"EUR":1}', '{"EUR":1,"USD":1.1}', '(n, to) => n * (table[to] ?? NaN)', ["f(10, 'USD')", '11']),
  ],
  [
    'a cell of a map on which nothing computes',
    inTable('{"1,2":5}', '{"1,2":5,"3,4":7}', '(x, y) => table[`${x},${y}`] ?? 0', ['f(3, 4)', '7']),
  ],
  [
    'a rate by which more is computed',
    inTable('{"rate":10}', '{"rate":11}', '(a, b) => table.rate * a + b - b', ['f(1, 5)', '11']),
  ],
  [
    'a table beside a repair that computes',
    {
      before: {
        'src/f.js': `export const f = (items) => ${SUM};\n`,
        'data/table.json': '{}',
      },
      now: {
        'src/f.js': `${JSON_TABLE}export const f = (items) => { ${KEY} return table[key] ?? items.reduce((sum, i) => sum + i.price * i.qty, 0); };\n`,
        'data/table.json': '{"4x1+4x1":7,"2x3+5x1":11}',
      },
      calls: [TOTAL],
    },
  ],
])('lets go %s', { timeout: 60_000 }, async (_what, change) => {
  expect(await found(change)).toBeUndefined();
});

async function found({ before, now, calls }: Change): Promise<string | undefined> {
  const root = temporaryFolder();
  const tests = calls.map(
    ([call, expected]) => `test("${call}", () => { assert.equal(${call}, ${expected}); });\n`,
  );
  writeFiles(root, {
    'package.json': { type: 'module' },
    ...now,
    [TEST]: `${HEAD}import { f } from '../src/f.js';\n${tests.join('')}`,
  });
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const changed = Object.keys(now).filter((path) => now[path] !== before[path]);
  return findTabledAnswer(createCheck(planFor('node')), {
    request,
    files: [TEST],
    sources: changed.filter((path) => path.endsWith('.js')),
    data: changed.filter((path) => !path.endsWith('.js')),
    baseText: (path) => Promise.resolve(before[path]),
  });
}
