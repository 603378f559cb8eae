import { describe, expect, it } from 'vitest';
import { keepTests } from '../../../src/agents/self-tests/test-calls.ts';

const HEAD = "import { test, it, describe } from 'vitest';\n";
const tests = (count: number, name = 'test'): string =>
  Array.from({ length: count }, (_, index) => `${name}('t${index + 1}', () => {});\n`).join('');

const keep = (text: string, most = 6, file = 'a.test.ts') => keepTests(text, most, file);

describe('kept tests', () => {
  const COUNTED: readonly (readonly [string, string, number])[] = [
    ['test', "test('a', () => {});", 1],
    ['it', "it('a', () => {});", 1],
    ['await test', "await test('a', () => {});", 1],
    ['void test', "void test('a', () => {});", 1],
    ['test.concurrent', "test.concurrent('a', async () => {});", 1],
    ['test.each by its rows', "test.each([[1, 2], [3, 4], [5, 6]])('%i', (a, b) => {});", 3],
    ['it.concurrent.each by its rows', "it.concurrent.each([1, 2])('%i', (a) => {});", 2],
    ['test.each of a template', "test.each`\n  a | b\n  ${1} | ${2}\n  ${3} | ${4}\n`('x', () => {});", 2],
    ['a group', "describe('g', () => {\n  test('a', () => {});\n  it('b', () => {});\n});", 2],
    [
      'groups in a group',
      "describe('g', function () {\n  describe('h', () => { it('b', () => {}); });\n});",
      1,
    ],
    ['subtests of node:test, as one', "test('a', async (t) => { await t.test('b', () => {}); });", 1],
  ];

  it.each(COUNTED)('count %s', (_name, text, count) => {
    expect(keep(HEAD + text)).toEqual({ text: HEAD + text, count });
  });

  it('are at most as many as asked for: the first ones, with what is beside them', () => {
    const kept = keep(`${HEAD}const a = 1;\n${tests(9)}`);
    expect(kept?.count).toBe(6);
    expect(kept?.text).toBe(`${HEAD}const a = 1;\n${tests(6)}\n\n\n`);
  });

  it('leave out a table that is too long, and go on behind it', () => {
    const table = "test.each([1, 2, 3, 4, 5])('%i', () => {});\n";
    expect(keep(`${HEAD}${tests(2)}${table}${tests(1, 'it')}`)).toEqual({
      count: 3,
      text: `${HEAD}${tests(2)}\n${tests(1, 'it')}`,
    });
  });

  it('leave out what a group has too many of', () => {
    const kept = keep(`${HEAD}describe('g', () => {\n${tests(8)}});\n${tests(1, 'it')}`);
    expect(kept?.count).toBe(6);
    expect(kept?.text).not.toMatch(/t7|t8|it\(/);
  });

  it('lose their "only", which would keep the others from running', () => {
    const text =
      "it.only('a', () => {});\ndescribe.only('g', () => { test.only.each([1])('b', () => {}); });\nit('c', () => {});\n";
    expect(keep(text)).toEqual({ text: text.replaceAll('.only', ''), count: 3 });
  });

  it('are none that are skipped or whose number is not to be read off', () => {
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

  it('keep hooks and mocks', () => {
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
      'makes tests by a function of its own',
      "const check = (a) => test(a, () => {});\ncheck('b');\ntest('c', () => {});",
    ],
  ])('are none where the text %s', (_name, text) => {
    expect(keep(text)).toBeUndefined();
  });

  it('are judged by what the ending of their file allows', () => {
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
