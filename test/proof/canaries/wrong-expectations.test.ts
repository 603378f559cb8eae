import { describe, expect, it } from 'vitest';
import { withWrong, wrongExpectations } from '../../../src/proof/canaries/wrong-expectations.ts';

/** The statement with every change made. */
function wrong(statement: string): string {
  const head = "test('adds', async () => {\n";
  const text = `${head}${statement}\n});`;
  return withWrong(text, wrongExpectations(text)).slice(head.length, -4);
}

describe('wrong expectations', () => {
  it.each([
    ['expect(f()).toBe(5);', 'expect(f()).toBe(6);'],
    ["expect(f()).toBe('a');", 'expect(f()).toBe("b");'],
    ['expect(f()).toEqual([]);', 'expect(f()).toEqual([0]);'],
    ['expect(f()).toEqual({ a: { b: 1 } });', 'expect(f()).toEqual({ a: { b: 2 } });'],
    ['expect(f()).toEqual({ ...x });', 'expect(f()).toEqual({ other: 1, ...x });'],
    ['expect(f()).toHaveLength(2);', 'expect(f()).toHaveLength(3);'],
    ['expect(f()).toBeNull();', 'expect(f()).not.toBeNull();'],
    ['await expect(f()).resolves.toBe(true);', 'await expect(f()).resolves.toBe(false);'],
    ['expect(f()).to.have.lengthOf(2);', 'expect(f()).to.have.lengthOf(3);'],
    ['assert.strictEqual(f(), null);', 'assert.strictEqual(f(), 0);'],
    ['assert(f());', 'assert(!(f()));'],
    ['t.is(f(), 1);', 't.is(f(), 2);'],
    ['t.true(f());', 't.true(!(f()));'],
  ])('changes %s', (before, after) => {
    expect(wrong(before)).toBe(after);
  });

  it.each([
    'expect(f()).toBeGreaterThan(3);',
    'expect(f()).toBeCloseTo(3);',
    'expect(f()).toContain(3);',
    "expect(f).toThrow('bad');",
    'expect(f()).not.toBe(3);',
    'expect(f()).resolves.toBe(3);',
    'expect.soft(f()).toBe(3);',
    'assert.notEqual(f(), 3);',
    'if (x) expect(f()).toBe(3);',
    'if (x) return;\nexpect(f()).toBe(3);',
    'check.equal(f(), 3);',
  ])('leaves alone what honest code may satisfy, or may not reach: %s', (statement) => {
    expect(wrong(statement)).toBe(statement);
  });

  it.each([
    "import { expect } from './expect.js';\ntest('a', () => { expect(1).toBe(1); });",
    "function assert() {}\ntest('a', () => { assert(1); });",
    "test('a', { fails: true }, () => { expect(1).toBe(1); });",
    "test.fails('a', () => { expect(1).toBe(1); });",
    "test('a', () => {",
  ])('are none with assertions of its own, options, or a syntax error: %s', (text) => {
    expect(wrongExpectations(text)).toEqual([]);
  });

  it('are found in tables, by the title with its placeholders', () => {
    const text =
      "describe('sums', () => { test.each([[1, 2]])('of %i', (a, b) => { expect(a + 1).toBe(b); }); });";
    expect(wrongExpectations(text)).toMatchObject([{ test: 'sums > of %i', isTable: true }]);
  });

  it.each([
    '5',
    '1e300',
    'NaN',
    'Infinity',
    '-0',
    "'a'",
    'false',
    '3n',
    'null',
    'undefined',
    '[1]',
    '({ a: 1 })',
  ])('differ from the value of an expression: %s', (value) => {
    const text = "test('a', () => { expect(0).toEqual(value()); });";
    const [change] = wrongExpectations(text);
    const run = (code: string): unknown =>
      new Function('value', `return ${code};`)(() => (0, eval)(value)) as unknown;
    expect(run(change!.text)).not.toEqual(run('value()'));
  });
});
