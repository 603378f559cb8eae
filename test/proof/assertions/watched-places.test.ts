import { expect, it } from 'vitest';
import { watchedAssertions } from '../../../src/proof/assertions/watched-places.ts';

function calledBackIn(body: string): string[] {
  const text = `import { test } from 'node:test';\ntest('visits words', async (t) => { ${body} });\n`;
  const places = watchedAssertions(text).filter(({ isCalledBack }) => isCalledBack);
  return places.map(({ from, to }) => text.slice(from, to));
}

it.each([
  ["scan(words, (word, at) => { if (word === 'c') { expect(at).toBe(3); } });", 'expect(at).toBe(3)'],
  ['scan(words, (word, at) => expect(at).toBe(3));', 'expect(at).toBe(3)'],
  ['await pump(rows, (row) => { if (row) assert.equal(row, 3); });', 'assert.equal(row, 3)'],
  ['scan(words, (word, at) => { if (!word) return; assert.equal(at, 3); });', 'assert.equal(at, 3)'],
  ['scan(words, (word, at) => word && assert.equal(at, 3));', 'assert.equal(at, 3)'],
  ['scan(words, (t) => { if (t) expect(t.kind).toBe(3) });', 'expect(t.kind).toBe(3)'],
  ['rows.map((row) => { while (row) expect(row).toBe(1) });', 'expect(row).toBe(1)'],
])('the code under test could drop the error of the assertion in %s', (body, place) => {
  expect(calledBackIn(body)).toEqual([place]);
});

it.each([
  'for (const row of rows()) if (row.a) assert.equal(row.b, 2);',
  'scan(words, (word, at) => { try { assert.equal(at, 3); } catch {} });',
  'assert.throws(() => { if (a) assert.equal(f(), 2); });',
  'expect(() => { if (a) assert.equal(f(), 2); }).toThrow();',
  "bus.on('error', (value) => { if (value) assert.equal(value, 2); });",
  'scan(words, async (word) => { if (word) await expect(word).resolves.toBe(3); });',
])('it could not, or the test may expect it, in %s', (body) => {
  expect(calledBackIn(body)).toEqual([]);
});

it('a test whose assertions all run has none to watch', () => {
  expect(watchedAssertions("test('a', () => { const b = f(); expect(b).toBe(1); });")).toEqual([]);
});
