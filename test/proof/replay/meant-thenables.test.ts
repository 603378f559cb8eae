import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayCalls } from '../../../src/proof/replay/index.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST = 'test/rows.test.js';
const HEAD =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { from } from '../src/rows.js';\n";
const MADE = 'export const from = (rows) => new Query(rows);\n';
const QUERY = `export class Query {
  constructor(rows) { this.rows = rows; }
  where(test) { return new Query(this.rows.filter(test)); }
}
${MADE}`;
const AWAITED = `export class Query {
  constructor(rows) { this.rows = rows; }
  where(test) { return new Query(this.rows.filter(test)); }
  async run() { return this.rows; }
  then(done, failed) { return this.run().then(done, failed); }
}
${MADE}`;
const AWAITS = 'assert.deepEqual(await from([1, 2, 3]).where((it) => it > 1), [2, 3]);';

async function narrowIn(base: string, now: string, body: string): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/rows.js': now,
    [TEST]: `${HEAD}test('rows', async () => { ${body} });\n`,
  });
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const baseText = (): Promise<string> => Promise.resolve(base);
  const asked = { request, sources: ['src/rows.js'], baseText, files: [TEST] };
  const { narrow, tampering } = await replayCalls(createCheck(planFor('node')), asked);
  expect(tampering).toEqual([]);
  return narrow;
}

it.each<[string, string, string, string]>([
  ['a class that a test awaits', QUERY, AWAITED, AWAITS],
  ['a class that is new', 'export const other = 1;\n', AWAITED, AWAITS],
])('accepts then of %s', { timeout: 60_000 }, async (_of, base, now, body) => {
  expect(await narrowIn(base, now, body)).toBeUndefined();
});

const COUNT = 'export const from = (rows) => rows.length + 1;\n';

it.each<[string, string, string, string]>([
  [
    'a class in the place of a number',
    COUNT,
    'class Count {\n  constructor(n) { this.n = n; }\n  then(done) { done(this.n); }\n}\nexport const from = (rows) => new Count(rows.length);\n',
    'assert.equal(await from([1, 2]), 2);',
  ],
  [
    'an object of no class',
    'export const from = (rows) => ({ rows });\n',
    'export const from = (rows) => ({ rows, then: (done) => done(rows) });\n',
    'assert.deepEqual(await from([1, 2]), [1, 2]);',
  ],
  ['a class that no test awaits', QUERY, AWAITED, 'assert.equal(from([1, 2]).rows.length, 2);'],
])('refuses then of %s, and says what permits it', { timeout: 60_000 }, async (_of, base, now, body) => {
  const found = await narrowIn(base, now, body);
  expect(found).toMatch(
    /^from of src\/rows\.js returns an object with a method "then" that is no promise, so that await gives another value than the object\. Before the change it did not\. .*If it is meant, --allow src\/rows\.js permits it; otherwise return a plain value\.$/,
  );
});
