import { describe, expect, it } from 'vitest';
import { mutateExpectations } from '../../../src/proof/canaries/mutate-expectations.ts';

function mutate(text: string, ...names: string[]) {
  return mutateExpectations(text, new Set(names), 'n0');
}

describe('mutateExpectations', () => {
  it.each([
    ['assert.equal(add(1, 2), 3);', "assert.equal(add(1, 2), 'n0');"],
    ['assert.deepStrictEqual(f(), { a: [1] }, "why");', `assert.deepStrictEqual(f(), 'n0', "why");`],
    ['t.assert.strictEqual(f(), 1);', "t.assert.strictEqual(f(), 'n0');"],
    ['expect(f()).toBe(3);', "expect(f()).toBe('n0');"],
    ['await expect(f()).resolves.toEqual({ a: 1 });', "await expect(f()).resolves.toEqual('n0');"],
    ['expect(f()).to.deep.equal([1]);', "expect(f()).to.deep.equal('n0');"],
    ['const sum = f();\nexpect(sum).toBe<number>(3);', "const sum = f();\nexpect(sum).toBe<number>('n0');"],
  ])('replaces the expected value in %s', (body, mutated) => {
    const wrap = (inner: string): string => `test('adds', async () => {\n${inner}\n});`;
    expect(mutate(wrap(body), 'adds')).toEqual({ text: wrap(mutated), mustFail: ['adds'] });
  });

  it.each([
    'expect(f()).not.toBe(3);',
    'assert.notEqual(f(), 3);',
    'if (f()) assert.equal(f(), 3);',
    'if (f()) return;\nexpect(f()).toBe(3);',
    'for (const n of list) expect(n).toBe(3);',
    'try { expect(f()).toBe(3); } catch {}',
    'run(() => expect(f()).toBe(3));',
    'expect(f()).toMatchSnapshot();',
    'check.equal(f(), 3);',
  ])('keeps a comparison that not every run reaches, or that is unknown: %s', (body) => {
    const text = `test('adds', () => {\n${body}\n});`;
    expect(mutate(text, 'adds')).toEqual({ text, mustFail: [] });
  });

  it('mutates only the named tests, found by the names of their suites', () => {
    const text =
      "describe('sums', () => {\n  it(`adds`, () => expect(1).toBe(1));\n  it('more', () => { expect(2).toBe(2); });\n});\ntest('adds', () => { expect(3).toBe(3); });";
    const mutated = mutate(text, 'sums > adds');
    expect(mutated.mustFail).toEqual(['sums > adds']);
    expect(mutated.text).toBe(text.replace('toBe(1)', "toBe('n0')"));
  });

  it('requires no failure of tests with the same name, of test tables and of a text that cannot be parsed', () => {
    const twice =
      "test('adds', () => { expect(1).toBe(1); });\ntest('adds', () => { f(); expect(1).toBe(1); });";
    expect(mutate(twice, 'adds').mustFail).toEqual([]);
    expect(mutate("test.each([1])('adds', (n) => { expect(n).toBe(1); });", 'adds').mustFail).toEqual([]);
    expect(mutate("test('adds', () => {", 'adds')).toEqual({ text: "test('adds', () => {", mustFail: [] });
  });
});
