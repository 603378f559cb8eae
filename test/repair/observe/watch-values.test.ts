import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Script, createContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { instrumentForTrace } from '../../../src/repair/localise/trace.ts';
import { watchValues } from '../../../src/repair/observe/watch-values.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';

function parsed(text: string, file = 'subject.js'): ParsedSource {
  const source = parseSource(file, text);
  if ('problem' in source) throw new Error(source.problem);
  return source;
}

function instrumented(source: ParsedSource) {
  const { watched, wrappings } = watchValues(source, 3);
  return { watched, text: instrumentForTrace(source, 0, wrappings).text };
}

/** The value of an expression in the watched source, and what was reported, as `code = value`. */
function run(text: string, expression: string): { value: unknown; reports: string[] } {
  const source = instrumented(parsed(text));
  const codes = new Map(source.watched.map(({ id, code }) => [id, code]));
  const reports: string[] = [];
  const realm = createContext({
    __ralphValue: (id: number, value: unknown) => reports.push(`${codes.get(id)} = ${JSON.stringify(value)}`),
  });
  new Script(source.text).runInContext(realm);
  return { value: new Script(expression).runInContext(realm) as unknown, reports };
}

describe('watchValues', () => {
  it.each([
    [
      'what is returned, and what it is made of',
      'function f(a) { return a + 1; }',
      'f(2)',
      ['a = 2', 'a + 1 = 3'],
    ],
    [
      'what is assigned, apart from what is read',
      'function f(a) { let b = a * 2; b += 1; }',
      'f(2)',
      ['a = 2', 'b = 4', 'b += 1 = 5'],
    ],
    [
      'conditions',
      'function f(a) { if (a > 1) f(0); }',
      'f(2)',
      ['a = 2', 'a > 1 = true', 'a = 0', 'a > 1 = false'],
    ],
    ['the longest chain of fields', 'const f = (o) => o.p.q;', 'f({ p: { q: 1 } })', ['o.p.q = 1']],
    ['arguments of a call', 'function f(a) { Math.abs(a.b); }', 'f({ b: 4 })', ['a.b = 4']],
    ['the object of a method', 'function f(a) { a.b.push(5); }', 'f({ b: [] })', ['a.b = []']],
    [
      'no variable of a branch that its condition reads as well',
      'function f(a, b) { if (g(a.b === 1 ? { ...a } : b)) return; } const g = (c) => c && d(c, c) || false; const d = () => 0;',
      'f({ b: 1 }, 2)',
      [
        'a.b = 1',
        'a.b === 1 = true',
        'c = {"b":1}',
        'c && d(c, c) || false = false',
        'g(a.b === 1 ? { ...a } : b) = false',
      ],
    ],
    ['no literal, function or class', 'function f() { const g = () => 1; return 2; }', 'f()', []],
    ['nothing outside functions', 'const a = 1; const b = a + 1;', 'a', []],
  ])('reports %s', (_, text, expression, reports) => {
    expect(run(text, expression).reports).toEqual(reports);
  });

  it.each([
    [
      'a file without semicolons',
      'let n = 1\nfunction f(a) {\n  let b = a\n  n = b\n  ;[n] = [n + 1]\n  return n\n}',
      'f(4)',
    ],
    [
      '`this` of methods and optional chains',
      'const o = { v: 1, f() { return this?.v }, g() { return this.f() } }',
      'o.g() + (o.h?.i.j ?? 5)',
    ],
    [
      'names of functions',
      'function f() { const named = () => {}; const o = { g: () => {} }; return named.name + o.g.name }',
      'f()',
    ],
    [
      'targets of assignments',
      'function f(o) { o.a.b = 1; o.a.b++; delete o.c; [o.d] = [7]; ({ e: o.e } = { e: 8 }); return o }',
      'JSON.stringify(f({ a: {}, c: 1 }))',
    ],
    [
      'shorthand, defaults and spread',
      'function f(a, { b = a, ...c }) { return { a, b, ...c, d: [...b] } }',
      'JSON.stringify(f([1], { x: 2 }))',
    ],
    ['`typeof` of an undeclared name', 'function f() { return typeof nothing }', 'f()'],
    ['comments at the end of a line', 'function f(a) {\n  return a // + 1\n}', 'f(6)'],
    [
      'loops and labels',
      'function f(a) { let s = ""; outer: for (const x of a) { for (let i = 0; i < x; i++) { if (i > 1) continue outer; s += i } } return s }',
      'f([1, 4])',
    ],
    [
      'private fields and accessors',
      'class A { #n = 2; get n() { return this.#n } has(o) { return #n in o } } const a = new A()',
      'a.n + String(a.has(a))',
    ],
    ['tagged templates', 'const tag = (s, v) => s.raw[0] + v; function f(a) { return tag`x${a}` }', 'f(3)'],
  ])('changes nothing in %s', (_, text, expression) => {
    const plain = createContext({});
    new Script(text).runInContext(plain);
    expect(run(text, expression).value).toEqual(new Script(expression).runInContext(plain));
  });

  it('gives text that parses, for every source of the offline search', () => {
    const folder = join(import.meta.dirname, '../../../src/repair');
    for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const source = parsed(readFileSync(join(folder, name), 'utf8'), name);
      expect(parsed(instrumented(source).text, name).errors, name).toEqual(source.errors);
    }
  });
});
