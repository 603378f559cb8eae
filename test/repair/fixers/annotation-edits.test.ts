import { describe, expect, it } from 'vitest';
import { proposeAnnotationEdits } from '../../../src/repair/fixers/annotation-edits.ts';

/** The edits for a text in which `^` marks the offset of a declaration or of the error in it. */
function propose(marked: string, message: string): string[] {
  const offset = marked.indexOf('^');
  const text = marked.replace('^', '');
  return proposeAnnotationEdits({ file: 'a.ts', text, offsets: [offset], message }).map((edit) => edit.text);
}

const assignable = (from: string, to: string): string => `Type '${from}' is not assignable to type '${to}'.`;

describe('proposeAnnotationEdits', () => {
  it.each([
    [
      'the return type that the code has',
      'function f(s: string): string {\n  ^return 1;\n}',
      assignable('number', 'string'),
      'function f(s: string): number {\n  return 1;\n}',
    ],
    [
      'a variable that may be undefined',
      'const ^a: Array<X> = m.get(k);',
      assignable('X[] | undefined', 'X[]'),
      'const a: Array<X> | undefined = m.get(k);',
    ],
    [
      'a part of an annotation',
      'let ^cache: { [key: string]: number } = {};',
      "Argument of type '{ [key: string]: number; }' is not assignable to parameter of type '{ [key: string]: true; }'.",
      'let cache: { [key: string]: true } = {};',
    ],
    [
      'an optional property',
      'interface A {\n  ^b: string;\n}',
      assignable('undefined', 'string'),
      'interface A {\n  b?: string;\n}',
    ],
    [
      'a type predicate',
      'function ^isA(v: A | B): boolean {\n  return true;\n}',
      "Property 'x' does not exist on type 'A | B'.",
      'function isA(v: A | B): v is A {\n  return true;\n}',
    ],
    [
      'a constraint',
      'function f<^T>(v: T) {}',
      "Type 'T' does not satisfy the constraint 'object'.",
      'function f<T extends object>(v: T) {}',
    ],
  ])('proposes %s among the first', (_, marked, message, expected) => {
    expect(propose(marked, message).slice(0, 12)).toContain(expected);
  });

  it('never proposes a type that silences the checker, and changes no code', () => {
    const texts = propose(
      'function f(s: string): string {\n  ^return g(s);\n}',
      "Type 'any' is not assignable to type 'never'. Type 'unknown' is not assignable to type 'string'.",
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      expect(text).not.toMatch(/any|never|unknown/);
      expect(text).toContain('return g(s);');
    }
  });

  it('proposes nothing for a file that does not parse', () => {
    expect(propose('function (', assignable('a', 'b'))).toEqual([]);
  });
});
