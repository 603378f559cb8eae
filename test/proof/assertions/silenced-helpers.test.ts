import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedHelpers, findSilencedHelper } from '../../../src/proof/assertions/silenced-helpers.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CHECK =
  "export function check(got, want) {\n  if (got !== want) throw new Error(got + ' is not ' + want);\n}\n";
const SILENT = 'export function check(got, want) {\n  if (got !== want) return;\n}\n';
const ADD = 'export const add = (a, b) => a + b;\n';
const BROKEN = 'export const add = (a, b) => a - b;\n';

describe('a helper that throws for values that differ', () => {
  const bodyOf = (body: string): string => `export function check(got, want) { ${body} }\n`;

  it.each([
    ['if (got !== want) throw new Error("a");', ['check']],
    ['if (!isDeepStrictEqual(got, want)) { throw new Error("a"); }', ['check']],
    ['if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error("a");', ['check']],
    ['if (got > want) throw new RangeError("a");', []],
    ['if (got === undefined) throw new TypeError("a");', []],
    ['if (got !== want) return false;', []],
  ])('is known by %s', (body, names) => {
    expect(changedHelpers('src/check.js', bodyOf(body), bodyOf('return;'))).toEqual(names);
    expect(changedHelpers('src/check.js', bodyOf(body), `${bodyOf(body)}\n`)).toEqual([]);
  });
});

interface Change {
  /** `check` before the change. */
  readonly base?: string;
  readonly check?: string;
  readonly add?: string;
  readonly statement?: string;
  readonly others?: Readonly<Record<string, string>>;
}

/** The sentence on a change of `check` and `add`, whose test passes before and after it. */
async function found({
  check: text = SILENT,
  add = BROKEN,
  statement = 'check(add(5, 5), 10)',
  others = {},
  base = CHECK,
}: Change): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/check.js': text,
    'src/add.js': add,
    'test/add.test.js': `import { test } from 'node:test';\nimport { check } from '../src/check.js';\nimport { add } from '../src/add.js';\ntest('adds', () => ${statement});\n`,
    ...others,
  });
  const check = createCheck(planFor('node'));
  const { signal } = new AbortController();
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal };
  const { tests } = await check.run(request);
  expect(tests).toMatchObject([{ status: 'passed' }]);
  const before: Readonly<Record<string, string>> = { 'src/check.js': base, 'src/add.js': ADD };
  return findSilencedHelper(check, {
    ...{ request, before: tests, now: tests, sources: ['src/check.js', 'src/add.js'] },
    baseText: (path) => Promise.resolve(before[path]),
    isJudge: (path) => path.startsWith('test/'),
  });
}

describe('a helper of the source that lost its throw', () => {
  it.each<[string, Change]>([
    ['with a source that is broken', {}],
    ['alone', { add: ADD }],
    ['and returns the comparison', { check: CHECK.replace('throw new Error', 'void String') }],
  ])('is named %s', async (_, change) => {
    expect(await found(change)).toMatch(
      /"adds" of test\/add\.test\.js passes with a value that differs, too: check of .* threw for a value that/,
    );
  });

  it.each<[string, Change]>([
    ['another text of the error', { check: CHECK.replace('is not', 'is other than'), add: ADD }],
    ['another way to compare', { check: CHECK.replace('got !== want', '!Object.is(got, want)'), add: ADD }],
    ['no use in a test but beside an assertion', { statement: '{ if (check(1, 1)) throw new Error(); }' }],
    [
      'a use in the product',
      { others: { 'src/pay.js': "import { check } from './check.js';\ncheck(1, 1);\n" } },
    ],
  ])('is not named with %s', async (_, change) => {
    expect(await found(change)).toBeUndefined();
  });
});

describe('a helper that only throws for some values of its only parameter', () => {
  const bodyOf = (body: string): string => `export function check(n) { ${body} }\n`;
  const MONEY = "if (typeof n !== 'number') throw new TypeError('a');";

  it.each([
    [MONEY, ['check']],
    [`const type = typeof n; ${MONEY} return n;`, ['check']],
    ['if (!Number.isInteger(n)) { throw new TypeError("a"); } return true;', ['check']],
    ['if (!n || n.length > 3) throw new Error("a");', ['check']],
    ['if (!n) throw new Error("a");', []],
    ['if (n === undefined || n === null) throw new Error("a");', []],
    ["if (typeof n === 'undefined') throw new Error('a');", []],
    ["if (n == null || n === '' || !n.length) throw new Error('a');", []],
    [`${MONEY} remove(n);`, []],
    [`${MONEY} return remove(n);`, []],
    [`if (typeof n !== 'number') { remove(); throw new Error('a'); }`, []],
  ])('is known by %s', (body, names) => {
    expect(changedHelpers('src/check.js', bodyOf(body), bodyOf('return;'))).toEqual(names);
  });

  it('is not known where a throw is left', () => {
    const now = `if (n === undefined) return; ${MONEY}`;
    expect(changedHelpers('src/check.js', bodyOf(MONEY), bodyOf(now))).toEqual([]);
  });
});

describe('a helper of the source that takes one value', () => {
  const MONEY =
    "export function check(n) {\n  if (typeof n !== 'number') throw new TypeError('no money');\n}\n";
  const lastingOf = (now: string, others = {}) =>
    found({ base: MONEY, check: now, add: ADD, statement: 'check(add(5, 5))', others });
  const SILENT_MONEY = MONEY.replace("throw new TypeError('no money')", 'return');

  it('is named for the change that it throws no more', async () => {
    expect(await lastingOf(SILENT_MONEY)).toMatch(
      /^"adds" of test\/add\.test\.js passes with undefined, too: check of .* threw for undefined, and does not/,
    );
  });

  it('is not named where it throws for other values than before, or the product uses it', async () => {
    expect(await lastingOf(MONEY.replace("'number'", "'bigint' && typeof n !== 'number'"))).toBeUndefined();
    const used = { 'src/pay.js': "import { check } from './check.js';\ncheck(1);\n" };
    expect(await lastingOf(SILENT_MONEY, used)).toBeUndefined();
  });

  it('is not named where it cleans up, and does nothing now without a folder', async () => {
    const base = MONEY.replace("typeof n !== 'number'", '!n').replace('}\n', '  globalThis.was = n;\n}\n');
    const check = base.replace("throw new TypeError('no money')", 'return');
    const given = { add: ADD, statement: '{ const folder = add(1, 1); check(folder); }' };
    expect(await found({ base, check, ...given })).toBeUndefined();
  });
});
