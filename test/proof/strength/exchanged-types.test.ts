import { describe, expect, it } from 'vitest';
import { exchangedTypes } from '../../../src/proof/strength/exchanged-types.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { changedLines } from '../../support/changed-lines.ts';

/** The types that a change exchanges, and the sources with each put back. */
function typesOf(before: string, after: string, head = '', tail = '') {
  const sources = changedLines({ before, after, head, tail });
  return exchangedTypes(sources).map(({ removed, added, candidate, source }) => ({
    told: removed ?? added,
    text: applyEdits(source.parsed.text, candidate.edits),
  }));
}

const told = (before: string, after: string, head = '', tail = ''): (string | undefined)[] =>
  typesOf(before, after, head, tail).map((it) => it.told);

describe('exchangedTypes', () => {
  const OPTIONS = 'export interface Options {\n';

  it('puts the type of a property back', () => {
    const [found] = typesOf("  sign?: '-' | '_';", '  sign?: string;', OPTIONS, '}\n');
    expect(found).toEqual({ told: "'-' | '_'", text: `${OPTIONS}  sign?: '-' | '_';\n}\n` });
  });

  it.each([
    ['a result', 'function f(a: A): Partial<A> {', 'function f(a: A): A {', ['Partial<A>']],
    ['a parameter', 'function f(a: readonly A[]): B {', 'function f(a: [A, ...A[]]): B {', ['readonly A[]']],
    ['a parameter with a default', 'function f(a: A = {}): B {', 'function f(a: object = {}): B {', ['A']],
  ])('finds the type of %s', (_, before, after, types) => {
    expect(told(before, after, '', '  return a as B;\n}\n')).toEqual(types);
  });

  it('finds the type of a name, of a method and of a new index signature', () => {
    expect(told('type Id = 1 | 2;', 'type Id = number;')).toEqual(['1 | 2']);
    expect(told('  m(a: A): B {', '  m(a: A): C {', 'class K {\n', 'return a; }\n}\n')).toEqual(['B']);
    const index = told('  a: 1;', '  a: 1;\n  [key: string]: unknown;', OPTIONS, '}\n');
    expect(index).toEqual(['[key: string]: unknown;']);
  });

  it.each([
    ['a union with more members', 'function f(a: A): B {', 'function f(a: A | null): B | undefined {'],
    ['other blanks', 'function f(a: A<B,C>): B {', 'function f(a: A<B, C>): B {'],
    ['a type that was not declared', 'function f(a) {', 'function f(a: A): B {'],
    ['a new parameter', 'function f(a: A): B {', 'function f(a: A, b?: C): B {'],
  ])('leaves out %s', (_, before, after) => {
    expect(told(before, after, '', '  return a as B;\n}\n')).toEqual([]);
  });

  it('leaves out a new name for the same type, and finds one for another', () => {
    const tail = '  return a;\n}\n';
    const change = (is: string) =>
      told(
        'function f<A>(a: A): Partial<A[]> {',
        `type Some<T> = ${is};\nfunction f<A>(a: A): Some<A> {`,
        '/** Some of them. */\n',
        tail,
      );
    expect(change('Partial<T[]>')).toEqual([]);
    expect(change('T[]')).toEqual(['Partial<A[]>']);
  });

  it('leaves out a new interface with an index signature', () => {
    expect(told('const a = 1;', 'interface Table {\n  [key: string]: 1;\n}\nconst a = 2;')).toEqual([]);
  });
});
