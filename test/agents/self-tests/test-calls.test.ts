import { describe, expect, it } from 'vitest';
import { keepTests } from '../../../src/agents/self-tests/test-calls.ts';

const HEAD = "import { test, it, describe } from 'vitest';\n";
const tests = (count: number, name = 'test'): string =>
  Array.from({ length: count }, (_, index) => `${name}('t${index + 1}', () => {});\n`).join('');

const keep = (text: string, most = 6, file = 'a.test.ts') => keepTests(text, most, file);

describe('keepTests', () => {
  const COUNTED: readonly (readonly [string, string, number])[] = [
    ['test', "test('a', () => {});", 1],
    ['it', "it('a', () => {});", 1],
    ['await test', "await test('a', () => {});", 1],
    ['void test', "void test('a', () => {});", 1],
    ['test.concurrent', "test.concurrent('a', async () => {});", 1],
    ['the rows of test.each', "test.each([[1, 2], [3, 4], [5, 6]])('%i', (a, b) => {});", 3],
    ['the rows of it.concurrent.each', "it.concurrent.each([1, 2])('%i', (a) => {});", 2],
    [
      'the rows of a test.each template',
      "test.each`\n  a | b\n  ${1} | ${2}\n  ${3} | ${4}\n`('x', () => {});",
      2,
    ],
    ['a group', "describe('g', () => {\n  test('a', () => {});\n  it('b', () => {});\n});", 2],
    ['nested groups', "describe('g', function () {\n  describe('h', () => { it('b', () => {}); });\n});", 1],
    [
      'a test with subtests of node:test once',
      "test('a', async (t) => { await t.test('b', () => {}); });",
      1,
    ],
  ];

  it.each(COUNTED)('counts %s', (_name, text, count) => {
    expect(keep(HEAD + text)).toEqual({ text: HEAD + text, count });
  });

  it('keeps the first tests up to the limit, and the code around them', () => {
    const kept = keep(`${HEAD}const a = 1;\n${tests(9)}`);
    expect(kept?.count).toBe(6);
    expect(kept?.text).toBe(`${HEAD}const a = 1;\n${tests(6)}\n\n\n`);
  });

  it('removes a table that exceeds the limit and keeps later tests', () => {
    const table = "test.each([1, 2, 3, 4, 5])('%i', () => {});\n";
    expect(keep(`${HEAD}${tests(2)}${table}${tests(1, 'it')}`)).toEqual({
      count: 3,
      text: `${HEAD}${tests(2)}\n${tests(1, 'it')}`,
    });
  });

  it('removes the tests of a group beyond the limit', () => {
    const kept = keep(`${HEAD}describe('g', () => {\n${tests(8)}});\n${tests(1, 'it')}`);
    expect(kept?.count).toBe(6);
    expect(kept?.text).not.toMatch(/t7|t8|it\(/);
  });

  it('removes "only"', () => {
    const text =
      "it.only('a', () => {});\ndescribe.only('g', () => { test.only.each([1])('b', () => {}); });\nit('c', () => {});\n";
    expect(keep(text)).toEqual({ text: text.replaceAll('.only', ''), count: 3 });
  });

  it('removes skipped tests and tests whose number is not evident', () => {
    const left = [
      "test.skip('a', () => {});",
      "it.todo('a');",
      "describe.skip('g', () => { it('a', () => {}); });",
      "describe.each([1, 2])('g', () => { it('a', () => {}); });",
      "test.each(rows)('%i', () => {});",
      "test.each([...rows])('%i', () => {});",
      "for (const a of [1, 2]) test('a', () => {});",
      "[1, 2].forEach((a) => { it('a', () => {}); });",
      "if (true) { it('a', () => {}); }",
      "xit('a', () => {});",
      "fit('a', () => {});",
    ];
    for (const line of left) {
      expect(keep(line), line).toBeUndefined();
      expect(keep(`${line}\ntest('b', () => {});`), line).toEqual({
        text: "\ntest('b', () => {});",
        count: 1,
      });
    }
  });

  it('keeps hooks and mocks', () => {
    const text =
      "jest.mock('./a');\ntest.beforeEach(() => {});\nbeforeAll(() => {});\ntest('a', () => {});\n";
    expect(keep(text)).toEqual({ text, count: 1 });
  });

  it.each([
    ['does not parse', "test('a', () => {"],
    ['has no test', 'export const a = 1;'],
    ['is empty', ''],
    ['is prose', 'I cannot write tests for this.'],
    [
      'declares tests in a function',
      "const check = (a) => test(a, () => {});\ncheck('b');\ntest('c', () => {});",
    ],
  ])('returns undefined if the text %s', (_name, text) => {
    expect(keep(text)).toBeUndefined();
  });

  it('parses by the extension of the file', () => {
    const typed = "test('a', () => { const a: number = 1; });";
    const cast = "test('a', () => { const a = <number>b; });";
    const jsx = "test('a', () => { render(<A />); });";
    const parses = (text: string, file: string): boolean => keep(text, 6, file) !== undefined;
    expect(['a.test.ts', 'a.test.tsx', 'a.test.mts'].map((file) => parses(typed, file))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['a.test.js', 'a.test.mjs'].map((file) => parses(typed, file))).toEqual([false, false]);
    expect(parses(cast, 'a.test.ts')).toBe(true);
    expect([parses(jsx, 'a.test.tsx'), parses(jsx, 'a.test.js'), parses(jsx, 'a.test.ts')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(parses("import a from 'a';\ntest('a', () => {});", 'a.test.cjs')).toBe(false);
  });
});
