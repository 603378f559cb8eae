import { describe, expect, it } from 'vitest';
import { nestedAssertions, withMarks } from '../../../src/proof/assertions/assertion-places.ts';

const HEAD = "import assert from 'node:assert/strict';\nimport { expect, test } from 'given';\n";

/** The assertions that must run in a test with this body. */
function placesIn(body: string, title = 'emits rows'): string[] {
  const text = `${HEAD}test('${title}', async (t) => { ${body} });\n`;
  return nestedAssertions(text).map(({ from, to }) => text.slice(from, to));
}

it('is found where a title says what is not given, and not where it says what does not happen', () => {
  const body = 'for (const row of rows()) assert.equal(row, 2);';
  expect(placesIn(body, 'a row without a name has number 2')).toHaveLength(1);
  expect(placesIn(body, 'reads without rows')).toEqual([]);
  expect(placesIn(body, 'a row without a name is not read')).toEqual([]);
});

describe('an assertion that must run', () => {
  it.each([
    ['for (const row of rows()) assert.equal(row, 2);', 'assert.equal(row, 2)'],
    ['for await (const row of rows()) { t.assert.ok(row); }', 't.assert.ok(row)'],
    ['rows().forEach((row) => expect(row).toBe(2));', 'expect(row).toBe(2)'],
    ["bus.on('row', (row) => { assert.equal(row, 2); });", 'assert.equal(row, 2)'],
    ["bus.on('row', function (row) { expect(row).to.be.true; });", 'expect(row).to.be.true'],
    ['f().then((value) => { assert.equal(value, 2); });', 'assert.equal(value, 2)'],
    ['f().then((value) => assert.equal(value, 2), (error) => assert.ok(error));', 'assert.equal(value, 2)'],
    ['load((error, value) => { assert.equal(value, 2); });', 'assert.equal(value, 2)'],
    ['visit(tree, { Name(node) { assert.equal(node.a, 1); } });', 'assert.equal(node.a, 1)'],
    ['visit(tree, { Name: (node) => assert.equal(node.a, 1) });', 'assert.equal(node.a, 1)'],
    [
      'await Promise.all(rows().map(async (row) => { await assert.rejects(row); }));',
      'await assert.rejects(row)',
    ],
  ])('is found in %s', (body, place) => {
    expect(placesIn(body)).toEqual([place]);
  });

  it.each([
    'assert.equal(f(), 2);',
    "bus.on('error', (value) => assert.equal(value, 2));",
    'bus.listen((error) => assert.equal(error.code, 2));',
    'f().catch((reason) => assert.equal(reason.code, 2));',
    'try { f(); } catch (problem) { assert.equal(problem.code, 2); }',
    'for (const row of rows()) if (row.a) assert.equal(row.b, 2);',
    'for (const row of rows()) { if (!row.a) continue; assert.equal(row.b, 2); }',
    'const check = (row) => assert.equal(row, 2); check(1);',
    "bus.on('row', () => assert.fail('too early'));",
    "bus.on('row', () => assert.ok(false));",
    'setTimeout(() => assert.equal(row, 2), 50);',
    'assert.throws(() => { assert.equal(f(), 2); });',
    'mock({ onError: (it) => assert.equal(it, 2) });',
    'while (next()) assert.equal(f(), 2);',
  ])('is none in %s', (body) => {
    expect(placesIn(body)).toEqual([]);
  });

  it('is none in a test of what does not happen', () => {
    const body = "bus.on('row', (row) => assert.equal(row, 2));";
    for (const title of ['does not emit', 'ignores rows', 'never calls back', 'an empty list'])
      expect(placesIn(body, title)).toEqual([]);
  });

  it('gets its mark in front of it', () => {
    const text = `${HEAD}test('a', () => { f((x) => assert.ok(x)); g((y) => {\nassert.ok(y) }); });`;
    const marked = withMarks(text, nestedAssertions(text), () => 'mark()');
    expect(marked).toContain('f((x) => (mark(), assert.ok(x))); g((y) => {\nmark(), assert.ok(y) });');
  });
});
