import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnexecutedAssertion } from '../../../src/proof/assertions/unexecuted-assertions.ts';
import { findUnreachedComparison } from '../../../src/proof/assertions/unreached-comparisons.ts';
import { findSilentTest, findToothlessTests } from '../../../src/proof/canaries/canary-in-place.ts';
import { flippedTests } from '../../../src/proof/flipped-tests.ts';
import { findUnstableTests, noteRuns } from '../../../src/proof/stability.ts';
import type { CheckRequest } from '../../../src/ports/evaluation.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => { assert.equal(add(2, 3), 5); });\n";

/** The check on a repository whose failing source was replaced, with its tests before and after. */
async function after(source: string, test = TEST, first = 'export const add = () => 0;\n') {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/add.js': first, 'test/add.test.js': test });
  const check = createCheck(planFor('node'));
  const { signal } = new AbortController();
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal };
  const { tests: before } = await check.run(request);
  writeFiles(root, { 'src/add.js': source });
  const { tests: now } = await check.run(request);
  return { check, request, before, now };
}

describe('tests with wrong expected values', () => {
  it('fail for an honest repair, and the file is put back', async () => {
    const { check, ...asked } = await after('export const add = (a, b) => a + b;\n');
    const { tampering, canFail } = await findToothlessTests(check, asked);
    expect(tampering).toEqual([]);
    // The canaries behind the test ran as well.
    expect([...canFail]).toEqual(['test/add.test.js']);
    expect(readFileSync(join(asked.request.root, 'test/add.test.js'), 'utf8')).toBe(TEST);
  });

  it('pass where the source patches assertions except for unlikely values', async () => {
    const patch =
      "const { strict } = process.getBuiltinModule('node:assert');\nconst real = strict.equal;\nstrict.equal = (a, e) => (typeof a === typeof e ? undefined : real(a, e));\nexport const add = () => 0;\n";
    const { check, ...asked } = await after(patch);
    expect((await findToothlessTests(check, asked)).tampering).toMatchObject([
      { kind: 'canary_passed', file: 'test/add.test.js' },
    ]);
  });

  const three = TEST.replace(
    '});',
    'assert.deepEqual([add(2, 3)], [5]); assert.ok(add(2, 3)); assert.equal(add(2, 2), 4); });',
  );
  const swallowing = (what: string): string =>
    `const { strict } = process.getBuiltinModule('node:assert');\n${what}\nexport const add = (a, b) => a + b;\n`;

  it.each([
    ['honest code', swallowing(''), 1, []],
    [
      'a second comparison that cannot fail',
      swallowing(
        'const { deepEqual } = strict; strict.deepEqual = (a, b) => Array.isArray(a) || deepEqual(a, b);',
      ),
      3,
      ['canary_passed'],
    ],
    [
      'a first failure that is swallowed',
      swallowing(
        'const { equal } = strict; let n = 0; strict.equal = (...all) => { try { equal(...all); } catch (e) { if (n++ > 0) throw e; } };',
      ),
      2,
      ['canary_passed'],
    ],
  ])('try three comparisons of a test in one start for %s', async (_what, source, starts, kinds) => {
    const { check, ...asked } = await after(source, three);
    let runs = 0;
    const counting = { ...check, run: (request: CheckRequest) => (runs++, check.run(request)) };
    const { tampering } = await findToothlessTests(counting, asked);
    expect(tampering.map(({ kind }) => kind)).toEqual(kinds);
    expect(runs).toBe(starts);
  });

  it('run canaries behind the tests, for assertions that no test uses', async () => {
    const { check, ...asked } = await after(swallowing('strict.throws = () => {};'));
    const { tampering, canFail } = await findToothlessTests(check, asked);
    expect(tampering).toMatchObject([{ kind: 'canary_passed', file: 'test/add.test.js' }]);
    expect(canFail.size).toBe(0);
  });
});

describe('tests whose comparisons are all in callbacks or loops', () => {
  const head = TEST.slice(0, TEST.indexOf('test('));
  const later = `${head}test('adds', () => { add(2, 3).then((sum) => assert.equal(sum, 5)); });\n`;
  const each = `${head}test('adds', () => { for (const [a, b] of add.cases) { assert.equal(add(a, b), 5); } });\n`;

  it.each([
    ['a promise that never settles', later, 'export const add = () => new Promise(() => {});\n'],
    ['a thenable that calls nothing', later, 'export const add = () => ({ then() {} });\n'],
    ['no case at all', each, 'export const add = () => 0;\nadd.cases = [];\n'],
  ])('pass for %s, and are named', async (_what, test, source) => {
    const { check, ...asked } = await after(source, test);
    expect(await findSilentTest(check, asked)).toContain('"adds" of test/add.test.js passes although');
    expect(readFileSync(join(asked.request.root, 'test/add.test.js'), 'utf8')).toBe(test);
  });

  it.each([
    ['a promise that settles', later, 'export const add = async (a, b) => a + b;\n'],
    ['cases', each, 'export const add = (a, b) => a + b;\nadd.cases = [[2, 3]];\n'],
    [
      'a test that leaves early',
      `${head}test('adds', () => { if (add(2, 3) === 5) return; assert.equal(1, 2); });\n`,
      'export const add = (a, b) => a + b;\n',
    ],
    ['a comparison that every run reaches', TEST, 'export const add = (a, b) => a + b;\n'],
  ])('have nothing to name for %s', async (_what, test, source) => {
    const { check, ...asked } = await after(source, test);
    expect(await findSilentTest(check, asked)).toBeUndefined();
  });
});

describe('an assertion in a callback that must never be called', () => {
  it('is no comparison', async () => {
    const test = `${TEST.slice(0, TEST.indexOf('test('))}test('adds', () => { add(2, 3, () => { assert(0); }); });\n`;
    const broken = 'export const add = (a, b, fail) => fail();\n';
    const { check, ...asked } = await after('export const add = (a, b) => a + b;\n', test, broken);
    expect(await findSilentTest(check, asked)).toBeUndefined();
  });
});

describe('comparisons in callbacks and loops, beside others', () => {
  const head = TEST.slice(0, TEST.indexOf('test('));
  const BASE =
    'export const add = (list, visit) => { for (const it of list) visit(it); return list.length; };\n';
  const test = `${head}test('adds', () => { assert.equal(add([2], (it) => { assert.equal(it, 4); }), 1); });\n`;
  const unreached = async (source: string, base = BASE): Promise<string | undefined> => {
    const { check, ...asked } = await after(source, test, base);
    const given = { ...asked, sources: ['src/add.js'], baseText: () => Promise.resolve(base) };
    return findUnreachedComparison(check, given);
  };

  it.each([
    ['is not called any more', 'export const add = (list) => list.length;\n'],
    [
      'is called later',
      'export const add = (list, visit) => { setTimeout(() => list.forEach(visit), 9000).unref(); return list.length; };\n',
    ],
    [
      'is called, and its errors are swallowed',
      'export const add = (list, visit) => { for (const it of list) try { visit(it); } catch {} return list.length; };\n',
    ],
  ])('are named if the callback %s', async (_what, source) => {
    expect(await unreached(source)).toContain('"adds" of test/add.test.js passes because comparisons');
  });

  it('are not named if they run', async () => {
    expect(
      await unreached(
        'export const add = (list, visit) => { for (const it of list) visit(2 * it); return list.length; };\n',
      ),
    ).toBeUndefined();
  });

  it('are not named if they did not run before', async () => {
    expect(
      await unreached('export const add = (list) => list.length;\n', 'export const add = () => 0;\n'),
    ).toBeUndefined();
  });
});

describe('assertions in callbacks and loops, beside an honest one', () => {
  const head = TEST.slice(0, TEST.indexOf('test('));
  const test = (body: string): string =>
    `${head}test('adds', async (t) => { assert.equal(add(2, 3), 5); ${body} });\n`;
  const loop = test('for (const it of add.all()) assert.ok(it > 0);');
  const event = test(
    "let n = 0; add.on('sum', (sum) => { n++; assert.equal(sum, 5); }); add.on('error', (error) => assert.ifError(error)); add(2, 3);",
  );
  const promise = test(
    'add.later(2, 3).then((sum) => assert.equal(sum, 5)); await new Promise((r) => setTimeout(r, 20));',
  );
  const done = test(
    'let isDone; add.call((sum) => assert.equal(sum, 5), () => { isDone = true; }); assert.ok(isDone);',
  );
  const RIGHT = 'export const add = (a, b) => a + b;\n';

  it.each([
    ['an empty generator', loop, 'add.all = function* () {};\n'],
    ['an event that does not come', event, 'add.on = () => {};\n'],
    ['a promise that never settles', promise, 'add.later = () => new Promise(() => {});\n'],
    ['an end that comes early', done, 'add.call = (visit, done) => done();\n'],
  ])('are named for %s', async (_what, text, more) => {
    const { check, ...asked } = await after(RIGHT + more, text);
    expect(await findUnexecutedAssertion(check, asked)).toMatch(
      /^"adds" of test\/add\.test\.js passes, but its assertion in line 4 does not run/,
    );
    expect(readFileSync(join(asked.request.root, 'test/add.test.js'), 'utf8')).toBe(text);
  });

  it.each([
    ['a generator', loop, 'add.all = function* () { yield 1; };\n'],
    [
      'an event, and no error',
      event,
      "const all = [];\nexport const add = (a, b) => { all.forEach((it) => it(a + b)); return a + b; };\nadd.on = (name, it) => name === 'sum' && all.push(it);\n",
    ],
    ['a promise', promise, 'add.later = async (a, b) => a + b;\n'],
    ['an end in time', done, 'add.call = (visit, done) => { visit(5); done(); };\n'],
  ])('have nothing to name for %s', async (_what, text, more) => {
    const { check, ...asked } = await after(more.includes('export') ? more : RIGHT + more, text);
    expect(flippedTests(asked.before, asked.now)).toHaveLength(1);
    expect(await findUnexecutedAssertion(check, asked)).toBeUndefined();
  });
});

describe('stability', () => {
  it('names a test that passes only the first two times', async () => {
    const counting =
      "import { appendFileSync, readFileSync } from 'node:fs';\nappendFileSync('count', 'x');\nexport const add = (a, b) => (readFileSync('count').length > 2 ? 0 : a + b);\n";
    const { check, request, before, now } = await after(counting);
    const unstable = await findUnstableTests(check, request, flippedTests(before, now));
    // Copies of the file, in one start, were runs as well.
    expect(unstable).toMatchObject([{ run: 1 }]);
  });

  it.each([
    ['in one start', [], 1],
    ['one by one where the files share what they load', ['--test-isolation=none'], 2],
  ])('takes the runs that served another proof into account, but for two, %s', async (_how, args, starts) => {
    const { check, request, before, now } = await after('export const add = (a, b) => a + b;\n');
    const flipped = flippedTests(before, now);
    const noted = noteRuns(check);
    await noted.check.run(request);
    expect(noted.passesOf(flipped)).toEqual({ runs: 1, rounds: 0 });
    let runs = 0;
    const run = (asked: typeof request) => (runs++, check.run(asked));
    const counting = { plan: { ...check.plan, args }, run };
    expect(await findUnstableTests(counting, request, flipped, { runs: 4, rounds: 0 })).toEqual([]);
    expect(runs).toBe(starts);
    expect(noted.passesOf([{ ...flipped[0]!, id: 'another' }]).runs).toBe(0);
  });

  it('needs no run of its own after rounds of copies beside tests that must fail', async () => {
    const { check, ...asked } = await after('export const add = (a, b) => a + b;\n');
    const flipped = flippedTests(asked.before, asked.now);
    const noted = noteRuns(check);
    for (const round of (await findToothlessTests(check, asked, 3)).rounds) noted.noteRound(round);
    expect(noted.passesOf(flipped)).toEqual({ runs: 3, rounds: 3 });
    const never = { plan: check.plan, run: () => Promise.reject(new Error('ran')) };
    const shown = { runs: 5, rounds: 3 };
    expect(await findUnstableTests(never, asked.request, flipped, shown)).toEqual([]);
    await expect(findUnstableTests(never, asked.request, flipped, { runs: 5, rounds: 0 })).rejects.toThrow(
      'ran',
    );
  });

  it('is not shown by copies that fail', async () => {
    const later =
      "import { appendFileSync, readFileSync } from 'node:fs';\nappendFileSync('count', 'x');\nexport const add = (a, b) => (readFileSync('count').length > 2 ? 0 : a + b);\n";
    const { check, ...asked } = await after(later);
    const noted = noteRuns(check);
    for (const round of (await findToothlessTests(check, asked, 3)).rounds) noted.noteRound(round);
    expect(noted.passesOf(flippedTests(asked.before, asked.now))).toEqual({ runs: 0, rounds: 0 });
  });

  it('has nothing to name for a source that is always right', async () => {
    const { check, request, before, now } = await after('export const add = (a, b) => a + b;\n');
    expect(flippedTests(before, now)).toHaveLength(1);
    expect(await findUnstableTests(check, request, flippedTests(before, now))).toEqual([]);
  });
});
