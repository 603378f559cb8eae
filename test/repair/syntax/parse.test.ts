import { describe, expect, it } from 'vitest';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

const problemOf = (file: string, text: string): string | undefined => {
  const parsed = parseSource(file, text);
  return 'problem' in parsed ? parsed.problem : undefined;
};

describe('parseSource', () => {
  it.each([
    ['a.js', 'const a = <b>{c}</b>;'],
    ['a.mjs', 'export default await import("x");'],
    ['a.cjs', 'module.exports = require("x"); return;'],
    ['a.ts', 'const a = <number>b; enum C { D } function f(this: Window, @Inject() x: string) {}'],
    ['a.ts', 'class A { constructor(@Inject() private readonly x: string) {} }'],
    ['a.tsx', 'const a = <T,>(x: T) => <p>{x as string}</p>;'],
    ['a.js', '@decorated class A { accessor x = 1; #y = 2; static { } }'],
    [
      'a.js',
      '/**\n * Adds.\n *\n * @flow strict\n */\nexport const add = (a: number, b: ?number) => ((a: any): number) + b;',
    ],
    ['a.js', "// @flow\n'use strict';\nclass A<+T> { items: Array<T>; }"],
  ])('reads %s: %s', (file, text) => {
    expect(problemOf(file, text)).toBeUndefined();
  });

  it('returns a problem with its position instead of throwing', () => {
    expect(problemOf('a.js', 'const a: number = 1; // @flow')).toMatch(/does not parse/);
    expect(problemOf('src/a.js', 'const = 1')).toMatch(/^src\/a\.js does not parse: .*\(1:6\)/);
  });

  it('recovers from errors that leave a tree and lists them', () => {
    const parsed = parseSource('a.js', 'let a = 1; let a = 2;');
    expect('errors' in parsed && parsed.errors).toEqual(['VarRedeclaration']);
  });
});
