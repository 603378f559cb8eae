import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Script, createContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';
import { instrumentForTrace } from '../../../src/repair/localise/trace.ts';

function parsed(text: string, file = 'subject.js'): ParsedSource {
  const source = parseSource(file, text);
  if ('problem' in source) throw new Error(source.problem);
  return source;
}

/** The value of an expression in the traced source, and the texts of the statements that it reached. */
function traced(text: string, expression: string): { value: unknown; reached: string[] } {
  const { text: instrumented, statements } = instrumentForTrace(parsed(text), 7);
  const hits = new Set<number>();
  const realm = createContext({ __ralphTrace: (id: number) => hits.add(id) });
  new Script(instrumented).runInContext(realm);
  hits.clear();
  const value: unknown = new Script(expression).runInContext(realm);
  const reached = statements.filter(({ id }) => hits.has(id)).map(({ start, end }) => text.slice(start, end));
  return { value, reached };
}

describe('instrumentForTrace', () => {
  it.each([
    ['statements', 'function f(x) { x++; return x; }', 'f(1)', 2, ['x++;', 'return x;']],
    [
      'only the branch that ran',
      'function f(x) { if (x) return 1; else return 2; }',
      'f(0)',
      2,
      ['if (x) return 1; else return 2;', 'return 2;'],
    ],
    ['arrows without braces', 'var f = (x) => ({ x });', 'f(1).x', 1, ['({ x })']],
    [
      'loop bodies without braces',
      'function f(n) { while (n > 3) n--; return n; }',
      'f(5)',
      3,
      ['while (n > 3) n--;', 'n--;', 'return n;'],
    ],
    [
      'cases',
      'function f(x) { switch (x) { case 1: return 5; default: return 6; } }',
      'f(1)',
      5,
      ['switch (x) { case 1: return 5; default: return 6; }', 'return 5;'],
    ],
    [
      'statements after super()',
      'class A {} class B extends A { constructor() { super(); this.x = 4; } }',
      'new B().x',
      4,
      ['this.x = 4;'],
    ],
    [
      'else-if chains',
      'function f(x) { if (x) x; else if (!x) return 3; }',
      'f(0)',
      3,
      ['if (x) x; else if (!x) return 3;', 'if (!x) return 3;', 'return 3;'],
    ],
  ])('reports %s', (_, text, expression, value, reached) => {
    expect(traced(text, expression)).toEqual({ value, reached });
  });

  it('keeps directives first and labels with their loops', () => {
    const text = "function f() { 'use strict'; o: for (;;) { for (;;) break o; } return this; }";
    expect(traced(text, 'f()').value).toBeUndefined();
  });

  it('behaves as before if no listener is installed', () => {
    const { text } = instrumentForTrace(parsed('function f(x) { if (x) return 1; return 2; }'), 0);
    expect(new Script(`${text};f(1)`).runInContext(createContext({}))).toBe(1);
  });

  it('gives statements consecutive ids and their lines', () => {
    const { statements } = instrumentForTrace(parsed('function f() {\n  f();\n  return 1;\n}'), 7);
    expect(statements.map(({ id, line }) => [id, line])).toEqual([
      [7, 2],
      [8, 3],
    ]);
  });

  it('counts the empty body of a function as a statement only if it is asked to', () => {
    const source = parsed('function f() {} class A { constructor() {} }');
    expect(instrumentForTrace(source, 0).statements).toEqual([]);
    const { text, statements } = instrumentForTrace(source, 0, [], { hasEmptyBodies: true });
    expect(statements.map(({ start, end }) => source.text.slice(start, end))).toEqual(['{}', '{}']);
    const reached: number[] = [];
    new Script(`${text};f();new A()`).runInContext(
      createContext({ __ralphTrace: (id: number) => reached.push(id) }),
    );
    expect(reached).toEqual([0, 1]);
  });

  it('gives text that parses, for every operator source', () => {
    const folder = join(import.meta.dirname, '../../../src/repair/operators');
    for (const file of readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) =>
      name.endsWith('.ts'),
    )) {
      const source = parsed(readFileSync(join(folder, file), 'utf8'), file);
      expect(parsed(instrumentForTrace(source, 0).text, file).errors, file).toEqual(source.errors);
    }
  });
});
