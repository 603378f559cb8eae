import { describe, expect, it } from 'vitest';
import { parseSource } from '../../../src/repair/syntax/parse.ts';
import { wrapTests } from '../../../src/repair/trial/wrap-tests.ts';

/** The wrapped text without what is put before it, and how many tests were understood. */
function wrapped(text: string, testTimeoutMs?: number): { body: string; tests: number; head: string } {
  const parsed = parseSource('a.test.ts', text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const options = { runtime: '/runtime.js', planFile: '/plan.json', ...(testTimeoutMs && { testTimeoutMs }) };
  const result = wrapTests(parsed, options);
  const [head, body] = result.text.split('startTrials(globalThis,"/plan.json");');
  return { body: body!, head: head!, tests: result.tests };
}

describe('a wrapped test file', () => {
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
  ])('hands over what %s declares', (text, expected) => {
    expect(wrapped(text).body).toBe(expected);
  });

  it('gives tests the time for all candidates where the runner takes it as an argument', () => {
    expect(wrapped("test('a', () => {});", 9).body).toBe("test('a', __ralph.test(0,() => {}),9);");
    expect(wrapped("test('a', () => {}, 5);", 9).body).toBe("test('a', __ralph.test(0,() => {}), 5);");
  });

  it('keeps comments that configure the runner, and directives, at the head', () => {
    const { head } = wrapped("/** @jest-environment node */\n'use strict';\ntest('a', () => {});");
    expect(head).toMatch(
      /^\/\*\* @jest-environment node \*\/\s+\/\/ @ts-nocheck\s+'use strict';\s+var __ralph=/,
    );
  });

  it('counts no tests where none are declared in a way it knows', () => {
    expect(wrapped('run(() => {});').tests).toBe(0);
  });
});
