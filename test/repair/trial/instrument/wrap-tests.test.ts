import { describe, expect, it } from 'vitest';
import { parseSource } from '../../../../src/repair/syntax/parse.ts';
import { wrapTests } from '../../../../src/repair/trial/instrument/wrap-tests.ts';

/** The wrapped text, apart from the code put before it, and the number of tests recognised. */
function wrapped(text: string, testTimeoutMs?: number): { body: string; tests: number; head: string } {
  const parsed = parseSource('a.test.ts', text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const result = wrapTests(parsed, { runtime: '/runtime.js', planFile: '/plan.json', testTimeoutMs });
  const [head, body] = result.text.split('startTrials(globalThis,"/plan.json");');
  return { body: body!, head: head!, tests: result.tests };
}

describe('wrapTests', () => {
  it.each([
    ["test('a', () => {});", "test('a', __ralph.test(0,() => {}));"],
    ["it.only('a', function () {});", "it.only('a', __ralph.test(0,function () {}));"],
    [
      "test('a', { timeout: 5 }, async (t) => {});",
      "test('a', { timeout: 5 }, __ralph.test(0,async (t) => {}));",
    ],
    ["test.each([1])('a %i', (n) => {});", "test.each([1])('a %i', __ralph.test(0,(n) => {}));"],
    ["test.each`a`('a', (n) => {});", "test.each`a`('a', __ralph.test(0,(n) => {}));"],
    ["test('a', body);", "test('a', __ralph.test(0,body));"],
    [
      "describe('a', () => { it('b', () => {}); });",
      "describe('a', __ralph.scope(() => { it('b', __ralph.test(1,() => {})); }));",
    ],
    ['beforeEach(async () => {});', 'beforeEach(__ralph.hook("beforeEach",async () => {}));'],
    ['afterEach(reset);', 'afterEach(__ralph.hook("afterEach",reset));'],
    [
      "import { test as spec } from 'vitest'; spec('a', () => {});",
      "import { test as spec } from 'vitest'; spec('a', __ralph.test(0,() => {}));",
    ],
    [
      "import check from 'node:test'; check(() => {});",
      "import check from 'node:test'; check(__ralph.test(0,() => {}));",
    ],
    [
      "const mine = test.extend({ a: 1 }); mine('a', ({ a }) => {});",
      "const mine = test.extend({ a: 1 }); mine('a', __ralph.test(0,({ a }) => {}));",
    ],
    [
      "test('a', async (t) => { await t.test('b', () => {}); });",
      "test('a', async (t) => { await t.test('b', __ralph.test(0,() => {})); });",
    ],
    ["test('a', () => { /b/.test(name); });", "test('a', __ralph.test(0,() => { /b/.test(name); }));"],
    ['other(() => {}); beforeAll(() => {});', 'other(() => {}); beforeAll(() => {});'],
  ])('wraps the functions in %s', (text, expected) => {
    expect(wrapped(text).body).toBe(expected);
  });

  it('adds a time limit for runners that take it as an argument, unless the test has one', () => {
    expect(wrapped("test('a', () => {});", 9).body).toBe("test('a', __ralph.test(0,() => {}),9);");
    expect(wrapped("test('a', () => {}, 5);", 9).body).toBe("test('a', __ralph.test(0,() => {}), 5);");
  });

  it('inserts its code after comments that configure the runner and after directives', () => {
    const { head } = wrapped("/** @jest-environment node */\n'use strict';\ntest('a', () => {});");
    expect(head).toMatch(
      /^\/\*\* @jest-environment node \*\/\s+\/\/ @ts-nocheck\s+'use strict';\s+var __ralph=/,
    );
  });

  it('counts no tests in a file without known declarations', () => {
    expect(wrapped('run(() => {});').tests).toBe(0);
  });
});
