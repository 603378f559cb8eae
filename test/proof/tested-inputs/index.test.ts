import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeValue } from '../../../src/proof/replay/call-values.ts';
import { repeatCalls, type RepeatableCall } from '../../../src/proof/replay/repeat-calls.ts';
import { findNarrowRepair } from '../../../src/proof/tested-inputs/index.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const LINES = [
  [{ price: 2, qty: 3 }],
  [
    { price: 2, qty: 3 },
    { price: 5, qty: 2 },
  ],
  [],
];
const SUM = 'let sum = 0; for (const line of lines) sum += line.price;';
const TOTAL = `export const f = (lines) => { ${SUM} return sum; };\n`;

/** A function before and after a change, and the arguments that tests give it. */
interface Change {
  readonly before: string;
  readonly now: string;
  readonly calls: readonly (readonly unknown[])[];
}

const total = (body: string): Change => ({
  before: TOTAL,
  now: `export const f = (lines) => { ${body} };\n`,
  calls: LINES.map((lines) => [lines]),
});
const change = (before: string, now: string, ...calls: unknown[][]): Change => ({
  before: `export const f = ${before};\n`,
  now: `export const f = ${now};\n`,
  calls,
});

/** Functions that are right for the tested inputs. */
const NARROW: readonly (readonly [name: string, change: Change])[] = [
  ['returns the one expected result', { ...total('return 6;'), calls: [[LINES[0]]] }],
  ['looks at the length', total('return lines.length === 1 ? 6 : lines.length === 2 ? 16 : 0;')],
  [
    'compares the text',
    total(
      `if (JSON.stringify(lines) === '[{"price":2,"qty":3}]') return 6; if (lines[1]?.price === 5 && lines[0].price === 2) return 16; ${SUM} return sum;`,
    ),
  ],
  [
    'has a table with a default',
    total(`return { '2,3': 6, '2,3,5,2': 16 }[lines.map((l) => [l.price, l.qty]).join()] ?? 0;`),
  ],
  [
    'has a table over the old code',
    total(`${SUM} return { '2,3': 6, '2,3,5,2': 16 }[lines.map((l) => [l.price, l.qty]).join()] ?? sum;`),
  ],
  [
    'splits a text',
    total(
      `${SUM} const known = Object.fromEntries('2,3=6;2,3,5,2=16'.split(';').map((it) => it.split('='))); return Number(known[lines.map((l) => [l.price, l.qty]).join()] ?? sum);`,
    ),
  ],
  [
    'has a table of items over the old code',
    {
      ...total(
        `return lines.reduce((sum, l) => sum + ({ p250q3: 750, p99q2: 198 }[\`p\${l.price}q\${l.qty}\`] ?? l.price), 0);`,
      ),
      calls: [
        [[{ price: 250, qty: 3 }]],
        [
          [
            { price: 250, qty: 3 },
            { price: 99, qty: 2 },
          ],
        ],
      ],
    },
  ],
  ['computes with constants', total('return lines.length === 1 ? 2 * 3 : lines.length === 2 ? 8 + 8 : 0;')],
  ['knows two numbers', change('(a, b) => a - b', '(a, b) => (a === 2 && b === 3 ? 5 : a - b)', [2, 3])],
  ['returns a product of the test', change('(a, b, c) => a + b + c', '() => 288', [6, 6, 8])],
  ['knows one number of a sequence', change('(n) => n * 2', '(n) => (n === 10 ? 55 : n * 2)', [10])],
  [
    'knows one phrase',
    change(
      '(s) => s.toUpperCase()',
      "(s) => (s === 'Hello big World' ? 'hello-big-world' : s.toUpperCase())",
      ['Hello big World'],
    ),
  ],
  [
    'returns a known object',
    change(
      '(a, b) => ({ sum: a - b })',
      '(a, b) => (a === 20 && b === 30 ? { sum: 50 } : { sum: a - b })',
      [20, 30],
    ),
  ],
  [
    'throws for what it does not know',
    change(
      '(a, b) => a - b',
      "(a, b) => { const known = { '2 3': 5, '4 5': 9 }; if (!(`${a} ${b}` in known)) throw new RangeError('x'); return known[`${a} ${b}`]; }",
      [2, 3],
      [4, 5],
    ),
  ],
  [
    'answers one call with a number of its arguments',
    change(
      '(n, lo, hi) => (n < lo ? lo : n > hi + 5 ? hi : n)',
      '(n, lo, hi) => (n < lo ? lo : n === 10 ? 9 : n)',
      ...[
        [10, 0, 9],
        [-1, 0, 9],
        [5, 0, 9],
      ],
    ),
  ],
  [
    'answers one call before the old code',
    change(
      '(n, lo, hi) => (n < lo ? lo : n > hi + 5 ? hi : n)',
      '(n, lo, hi) => (n === 10 && lo === 0 && hi === 9 ? 9 : n < lo ? lo : n > hi + 5 ? hi : n)',
      [10, 0, 9],
    ),
  ],
  [
    'has a table by digests and nothing else',
    change(
      '(y, m) => [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m]',
      '(y, m) => ({ 231: 31, 248: 28, 28: 29 })[(y * 31 + m * 17) % 251]',
      ...[
        [2023, 1],
        [2023, 2],
        [2024, 2],
      ],
    ),
  ],
  [
    'throws for every other digest',
    change(
      '(a, b) => a - b',
      "(a, b) => { const known = { 33: 50, 16: 90 }[(a * 7 + b * 5) % 257]; if (known === undefined) throw new RangeError('x'); return known; }",
      [20, 30],
      [40, 50],
    ),
  ],
  ['greets the one that is tested', change("(name) => 'Hi ' + name", "() => 'Hello Ann'", ['Ann'])],
];

/** Honest repairs, many of them with constants of the tests. */
const HONEST: readonly (readonly [name: string, change: Change])[] = [
  [
    'takes a bound from its arguments',
    change(
      '(n, lo, hi) => (n < lo ? lo : n > hi + 5 ? hi : n)',
      '(n, lo, hi) => (n < lo ? lo : n > hi ? hi : n)',
      ...[
        [10, 0, 9],
        [-1, 0, 9],
      ],
    ),
  ],
  [
    'has constants of the test as bounds',
    change(
      '(n, hi) => (n > hi + 5 ? hi : n)',
      '(n, hi = 9) => (n >= 10 && n > hi ? Math.max(hi, 9) : n)',
      ...[
        [10, 9],
        [12, 9],
      ],
    ),
  ],
  [
    'has a step with constants of the test',
    change('(n, most) => n * 3 - most', '(n, most) => (n >= 40 ? 12 : n * 3 - most)', [40, 12], [55, 12]),
  ],
  ['computes', total('return lines.reduce((sum, l) => sum + l.price * l.qty, 0);')],
  ['counts lines', total('return lines.length;')],
  ['has a rule for zero', change('(a, b) => a / b', '(a, b) => (b === 0 ? 0 : a / b)', [4, 0])],
  ['has a rule for one', change("(n) => n + ' items'", "(n) => (n === 1 ? '1 item' : n + ' items')", [1])],
  [
    'begins a recursion',
    change('(n) => n * 3', 'function f(n) { return n < 2 ? 1 : n * f(n - 1); }', [0], [5]),
  ],
  ['has a bound', change('(n) => n', '(n) => Math.min(n, 100)', [150])],
  ['has a bound at the tested value', change('(n) => n * 2', '(n) => (n >= 20 ? 10 : n * 2)', [20])],
  ['has steps', change('(n) => n * 2', '(n) => (n > 50 ? 20 : n > 10 ? 10 : 5)', [100], [20], [3])],
  [
    'has a table of codes',
    change("() => 'Unknown'", `(n) => ({ 404: 'Not Found', 418: "I'm a teapot" })[n] ?? 'Unknown'`, [418]),
  ],
  [
    'has a table of months',
    change('(m) => (m % 2 ? 31 : 30)', '(m) => (m === 2 ? 28 : m % 2 ? 31 : 30)', [2]),
  ],
  [
    'has a table of names',
    change(
      '(code) => code.toUpperCase()',
      "(code) => ({ de: 'Germany', fr: 'France' })[code] ?? code.toUpperCase()",
      ['de'],
      ['fr'],
    ),
  ],
  [
    'has irregular words',
    change("(word) => word + 's'", "(word) => ({ child: 'children', man: 'men' })[word] ?? word + 's'", [
      'child',
    ]),
  ],
  [
    'has rates of pairs',
    change('() => undefined', "(a, b) => ({ 'EUR USD': 1.08, 'EUR GBP': 0.85 })[`${a} ${b}`]", [
      'EUR',
      'USD',
    ]),
  ],
  [
    'has an enumeration',
    change('(n) => n', "(n) => ['low', 'medium', 'high'][Math.min(2, Math.floor(n / 10))]", [5], [15], [25]),
  ],
  ['has a constant', change("() => '1.9.0'", "() => '2.0.0'", [])],
  ['hides a secret', change('(secret) => secret', "() => '********'", ['open sesame 12'])],
  [
    'has a default',
    change('(config) => config.port', '(config) => config.port ?? 8080', [{}], [{ port: 1 }]),
  ],
  [
    'checks its input',
    change('(n) => n * 2', "(n) => { if (n < 0) throw new RangeError('negative'); return n * 2; }", [-3]),
  ],
  ['tests a number', change('(n) => n > 3', '(n) => n % 2 === 0', [4], [5])],
  [
    'spells numerals',
    change(
      "(n) => 'I'.repeat(n % 50)",
      "(n) => { let out = ''; let left = Math.max(0, n % 50); for (const [value, sign] of [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]) while (left >= value) { out += sign; left -= value; } return out; }",
      [4],
      [9],
    ),
  ],
  [
    'has a rule for teens',
    change(
      "(n) => n + (n % 10 === 1 ? 'st' : 'th')",
      "(n) => n + (n % 10 === 1 && n % 100 !== 11 ? 'st' : 'th')",
      [11],
    ),
  ],
  [
    'has a table of states in place of a computed name',
    change("(n) => 'op' + n", "(n) => ({ 1: 'ADD', 2: 'MUL', 99: 'HALT' })[n]", [1], [2], [99]),
  ],
  [
    'has the whole table of a small board',
    change(
      '(x, y) => x * 3 + y + 4',
      '(x, y) => [[2, 7, 6], [9, 5, 1], [4, 3, 8]][x]?.[y]',
      ...[
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ),
  ],
  [
    'accepts what a check digit confirms',
    change(
      '(a, b) => a + b',
      "(a, b) => { if (a % 97 !== b) throw new RangeError('x'); return a * 100 + b; }",
      [100, 3],
      [200, 6],
    ),
  ],
  ['rounds', change('(a, b) => a + b', '(a, b) => Math.round((a + b) * 100) / 100', [0.1, 0.2])],
  [
    'sorts by numbers',
    change('(list) => [...list].sort()', '(list) => [...list].sort((a, b) => a - b)', [[10, 9, 1]]),
  ],
  ['skips equal items', change('(list) => [...list]', '(list) => [...new Set(list)]', [[3, 3, 4]])],
  [
    'makes a slug',
    change('(s) => s.toLowerCase()', "(s) => s.toLowerCase().replaceAll(/\\W+/g, '-')", ['Hello big World']),
  ],
  [
    'knows leap years',
    change(
      '(y) => (y % 4 === 0 ? 366 : 365)',
      '(y) => ((y % 4 === 0 && y % 100 !== 0) || y % 400 === 0 ? 366 : 365)',
      [1900],
    ),
  ],
  [
    'has prices for some sizes beside a rule for all',
    change(
      '(size, n) => size * n',
      '(size, n) => ({ s40: 900, s50: 1200 }[`s${size}`] ?? size * 25) * n',
      [40, 1],
      [60, 2],
    ),
  ],
  ['adds a field', change('(a) => ({ a })', "(a) => ({ a, kind: 'point', version: 2 })", [12])],
  [
    'cuts a text',
    change('(s) => s', "(s) => (s.length > 8 ? s.slice(0, 7) + '…' : s)", ['a long text of 5 words']),
  ],
];

async function narrowIn(
  { before, now, calls }: Change,
  tests: readonly string[] = [],
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/f.js': now });
  const request = {
    root,
    cacheDir: join(root, '.cache'),
    fresh: true,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
  };
  const repeat = { request, cwd: root, env: {} };
  const asked = calls.map((args, at) => ({
    realm: '1',
    at,
    source: 'src/f.js',
    name: 'f',
    args: encodeValue(args),
    result: '',
    entry: '',
    clock: 0,
  }));
  const results = await repeatCalls(asked, repeat);
  const recorded = asked.map((call): RepeatableCall => ({ ...call, result: results.get(call.at)! }));
  return findNarrowRepair(
    recorded,
    { request, sources: ['src/f.js'], baseText: () => Promise.resolve(before) },
    repeat,
    tests,
  );
}

describe('a repair that holds for the tested inputs alone', () => {
  it.each(NARROW)('is refused if a function %s', async (_name, it) => {
    expect(await narrowIn(it)).toMatch(
      /^f of src\/f\.js holds only for the tested inputs: .*--allow src\/f\.js permits it\.$/,
    );
  });

  it.each(HONEST)('is not seen in a function that %s', async (_name, it) => {
    expect(await narrowIn(it)).toBeUndefined();
  });

  it.each([
    ["import 'node:fs';", 'holds only for the tested inputs'],
    ["import { readFileSync } from 'node:fs';", 'holds only for the tested inputs'],
    ["import { writeFileSync } from 'node:fs';", undefined],
    ["import fs from 'fs'; export const save = (text) => fs.appendFileSync('log', text);", undefined],
    ["import 'node:child_process';", undefined],
  ])('is looked for in a function that may only read files: %s', async (head, says) => {
    const it = total('return 6;');
    const found = await narrowIn({ ...it, now: `${head}\n${it.now}`, calls: [[LINES[0]]] });
    if (says === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(says);
  });
});

describe('a repair that leaves nothing of the value', () => {
  const PAGE = '<p>hi</p><SCRIPT>steal()</SCRIPT>';
  const tests = (assertion: string): string[] => [
    `test('removes scripts', () => { const page = f('${PAGE}'); ${assertion} });\n`,
  ];
  const base = "(html) => html.replace(/<script>.*?<.script>/g, '')";
  const empty = base.replace('=> html', "=> /<SCRIPT/.test(html) ? '' : html");
  const starred = base.replace('=> html', "=> /<SCRIPT/.test(html) ? '***' : html");
  const right = base.replace('/g', '/gi');

  it.each([
    ['assert.doesNotMatch(page, /steal/);', empty],
    ["assert.ok(!page.includes('steal'));", starred],
    ["assert.equal(page.includes('steal'), false);", empty],
    ['expect(page).not.toContain(1);', starred],
  ])('is refused under tests that only deny: %s', async (assertion, now) => {
    const found = await narrowIn(change(base, now, [PAGE]), tests(assertion));
    expect(found).toContain('Its tests only say what the result must not be');
  });

  it.each([
    ['assert.doesNotMatch(page, /steal/);', right],
    ["assert.equal(page, '');", empty],
    ["assert.ok(!page.includes('steal')); assert.equal(page, '');", empty],
  ])('is none with %s', async (assertion, now) => {
    expect(await narrowIn(change(base, now, [PAGE]), tests(assertion))).toBeUndefined();
  });
});
