import { describe, expect, it } from 'vitest';
import { enclosingFunction, functionsOf } from '../../../src/repair/syntax/functions.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

const functionsIn = (text: string) => {
  const parsed = parseSource('a.ts', text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return functionsOf(parsed);
};

describe('functionsOf', () => {
  it.each([
    ['function add(a, b) { return a; }', { name: 'add', kind: 'function', params: ['a', 'b'], depth: 0 }],
    ['const add = (a = 1, ...b) => a', { name: 'add', kind: 'arrow', params: ['a = 1', '...b'] }],
    ['const o = { get x() { return 1; } }', { name: 'x', kind: 'getter' }],
    ['const o = { set x(v) { } }', { name: 'x', kind: 'setter', paramNames: ['v'] }],
    ['const o = { run: async function* () { } }', { name: 'run', isAsync: true, isGenerator: true }],
    ['class A { constructor() { } }', { kind: 'constructor', className: 'A', derived: false }],
    ['class A extends B { constructor() { super(); } }', { kind: 'constructor', derived: true }],
    ['class A { #secret() { } }', { name: '#secret', kind: 'method', className: 'A' }],
    ['class A { run = () => 1 }', { name: 'run', kind: 'arrow', expressionBodied: true }],
    ['module.exports.go = function () { }', { name: 'go', kind: 'function' }],
    ['const f = ({ a, b: [c] }, d = 1) => { }', { paramNames: ['a', 'c', 'd'] }],
  ])('describes %s', (text, expected) => {
    expect(functionsIn(text)).toEqual([expect.objectContaining(expected)]);
  });

  it('gives the exact range of a body, with braces or with its parentheses', () => {
    const text = 'function a() { return 1; }\nconst b = () => ({ c: 1 });';
    const bodies = functionsIn(text).map(({ body }) => text.slice(body.start, body.end));
    expect(bodies).toEqual(['{ return 1; }', '({ c: 1 })']);
  });

  it('lists outer functions first, with their nesting depth', () => {
    const found = functionsIn('function a() { return () => { function c() {} }; }\nfunction d() {}');
    expect(found.map(({ name, depth }) => [name, depth])).toEqual([
      ['a', 0],
      ['', 1],
      ['c', 2],
      ['d', 0],
    ]);
  });

  it('leaves out declarations without a body', () => {
    expect(functionsIn('declare function a(): void; abstract class B { abstract c(): void; }')).toEqual([]);
  });
});

describe('enclosingFunction', () => {
  const text = 'function a() { return [1].map((x) => x + 1); }\nlet y = 2;';

  it('finds the innermost function whose body holds the place', () => {
    const found = enclosingFunction(functionsIn(text), text.indexOf('x + 1'));
    expect(found?.kind).toBe('arrow');
  });

  it('finds none at the top of the file and in parameters', () => {
    const functions = functionsIn(text);
    expect(enclosingFunction(functions, text.indexOf('y = 2'))).toBeUndefined();
    expect(enclosingFunction(functions, text.indexOf('a()'))).toBeUndefined();
  });
});
