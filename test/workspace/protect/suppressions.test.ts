import { describe, expect, it } from 'vitest';
import { countSuppressions } from '../../../src/workspace/protect/suppressions.ts';

const counted = (text: string, path = 'a.ts', base = ''): Record<string, number> =>
  Object.fromEntries(countSuppressions(path, text, base));

describe('countSuppressions', () => {
  it.each([
    ['// @ts-ignore\nf();', '@ts-ignore'],
    ['/* @ts-ignore */ f();', '@ts-ignore'],
    ['/**\n * @ts-expect-error later\n */\nf();', '@ts-expect-error'],
    ['// @ts-nocheck\nf();', '@ts-nocheck'],
    ['// eslint-disable-next-line no-undef\nf();', 'eslint-disable'],
    ['f(); // eslint-disable-line', 'eslint-disable'],
    ['/* eslint-disable */', 'eslint-disable'],
    ['/* eslint no-undef: 0 */', 'inline eslint configuration'],
    ['/* eslint "a/b": "off" */', 'inline eslint configuration'],
    ['/* global missing, other: writable */', 'a declared global'],
    ['const a = b as any;', 'a cast to any'],
    ['const a = <any>b;', 'a cast to any'],
    ['const a = b as unknown as string;', 'a cast through unknown'],
    ['const a = (b as unknown) as string;', 'a cast through unknown'],
    ['declare const a: any;', 'an ambient any'],
    ['declare function a(): any;', 'an ambient any'],
    ["declare module 'a';", 'an ambient any'],
    ['if (process.env.VITEST) f();', 'a check whether it is being tested'],
    ["if (process.env['JEST_WORKER_ID']) f();", 'a check whether it is being tested'],
    ['const { NODE_TEST_CONTEXT: isTested } = process.env;', 'a check whether it is being tested'],
  ])('are found in %s', (text, name) => {
    expect(counted(text)).toEqual({ [name]: 1 });
  });

  it.each([
    "const a = '// @ts-ignore';",
    'const a = `/* eslint-disable */`;',
    '// write no @ts-ignore here\nf();',
    '// eslint disables nothing by itself\nf();',
    '/* global state is kept elsewhere */',
    '// global missing',
    'const a = b as unknown;',
    'const a = b as string;',
    'declare const a: string;',
    "declare module 'a' { export const b: number; }",
    'function f(...given: any[]): void {}',
    'type A = Record<string, any>;',
    "if (process.env.CI || process.env.NODE_ENV === 'test') f();",
    '<<<<<<< as any',
  ])('are not seen in %s', (text) => {
    expect(counted(text)).toEqual({});
  });

  it('counts nothing in files without code', () => {
    expect(counted('// @ts-ignore', 'README.md')).toEqual({});
  });

  it('counts a type that became any, but not an any without an earlier type', () => {
    const name = 'any instead of a type';
    expect(counted('const a: any = f();', 'a.ts', 'const a: number = f();')).toEqual({ [name]: 1 });
    expect(counted('function f(a: any): any {}', 'a.ts', 'function f(a: A): B {}')).toEqual({ [name]: 2 });
    expect(counted('const a: any = f();', 'a.ts', 'const a = f();')).toEqual({});
    expect(counted('const a: any = f();', 'a.ts', 'const a: any = g();')).toEqual({});
    const two = 'function f(key: string) { return key; } function g(key: any) { return key; }';
    expect(counted(two.replace('return key', 'return key + 1'), 'a.ts', two)).toEqual({});
    expect(counted(two.replace('string', 'any'), 'a.ts', two)).toEqual({ [name]: 1 });
  });
});
