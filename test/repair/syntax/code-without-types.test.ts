import { expect, test } from 'vitest';
import { codeWithoutTypes, runningCode } from '../../../src/repair/syntax/code-without-types.ts';

const CODE = `export function pick<T>(list: readonly T[], index?: number): T | undefined { return list[index ?? 0]; }
interface Place { line: number } const here: Place = { line: 1 }; type Id = string;`;

test.each([
  ['other types', CODE.replace('index?: number', 'index: string').replace('T | undefined', 'T')],
  [
    'other declarations of types',
    CODE.replace('line: number }', 'line: string }').replace('= string', '= 1'),
  ],
  ['another layout', CODE.replaceAll('; ', ';\n\n')],
])('is the same for %s', (_, text) => {
  expect(codeWithoutTypes('a.ts', text)).toBe(codeWithoutTypes('a.ts', CODE));
});

test.each([
  ['another value', CODE.replace('?? 0', '?? 1')],
  ['another name', CODE.replace('here', 'there')],
  ['a text that does not parse', '{'],
])('differs for %s', (_, text) => {
  expect(codeWithoutTypes('a.ts', text)).not.toBe(codeWithoutTypes('a.ts', CODE));
});

test('is the code that runs, with the offset of each character', () => {
  const text = 'const a: number = 1; // one\n/* two */ f(a /* three */, <Id>b);';
  const code = runningCode('a.ts', text);
  expect(code.text).toBe('consta=1;f(a,<Id>b);');
  expect(code.offsets.map((offset) => text[offset]).join('')).toBe(code.text);
  expect(runningCode('a.ts', '{ // one').text).toBe('{//one');
});
