import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script, createContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../../src/repair/operators/propose/candidates.ts';
import type { Candidate } from '../../../../src/repair/syntax/edit.ts';
import { parseSource, type ParsedSource } from '../../../../src/repair/syntax/parse.ts';
import { embedCandidates } from '../../../../src/repair/trial/instrument/embed-candidates.ts';

function parsed(text: string, file = 'subject.js'): ParsedSource {
  const source = parseSource(file, text);
  if ('problem' in source) throw new Error(source.problem);
  return source;
}

function replacing(text: string, before: string, after: string): Candidate {
  const start = text.indexOf(before);
  const edits = [{ file: 'subject.js', start, end: start + before.length, replacement: after }];
  return { edits, operator: 'test', line: 1, signature: `${before} → ${after}`, prior: 1 };
}

/** Values of an expression with no candidate active, then with each of them. */
async function valuesOf(
  text: string,
  edits: readonly [string, string][],
  expression: string,
): Promise<unknown[]> {
  const { text: source, embedded } = embedCandidates(
    parsed(text),
    edits.map(([before, after]) => replacing(text, before, after)),
    1,
  );
  expect(embedded).toHaveLength(edits.length);
  const realm = createContext({}) as { __ralphActive?: number };
  new Script(source).runInContext(realm);
  const values: unknown[] = [];
  for (const active of [0, ...embedded.map(({ id }) => id)]) {
    realm.__ralphActive = active;
    try {
      values.push(await new Script(expression).runInContext(realm));
    } catch (error) {
      values.push(`threw ${String(error)}`);
    }
  }
  return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value));
}

const TABLE: readonly [string, string, [string, string][], string, unknown[]][] = [
  [
    'a statement',
    'function f(x) { x += 1; return x; }',
    [
      ['+=', '-='],
      ['1', '5'],
    ],
    'f(1)',
    [2, 0, 6],
  ],
  [
    'a constant of the module at each read in a function',
    'const STEP = 2; const LIST = [1]; function f(x) { return { STEP, sum: x + STEP, ...{ LIST } }; }',
    [
      ['2', '3'],
      ['[1]', '[1, 2]'],
    ],
    'f(1)',
    ['{"STEP":2,"sum":3,"LIST":[1]}', '{"STEP":3,"sum":4,"LIST":[1]}', '{"STEP":2,"sum":3,"LIST":[1,2]}'],
  ],
  [
    'a constant that keeps its state, as the original does',
    'const SEEN = new Set(["a"]); function f(x) { const known = SEEN.has(x); SEEN.add(x); return known; }',
    [['["a"]', '["b"]']],
    '[f("a"), f("c"), f("c")]',
    ['[true,false,true]', '[false,false,true]'],
  ],
  [
    'a pattern that keeps its lastIndex',
    'const WORD = /b/g; function f(text) { let n = 0; while (WORD.exec(text)) n++; return n; }',
    [['/b/g', '/a/g']],
    'f("abaa")',
    [1, 3],
  ],
  ['a deleted statement', 'function f(x) { x += 1; return x; }', [['x += 1;', '']], 'f(1)', [2, 1]],
  [
    'a declaration',
    'function f(x) { const y = x + 1; return y; }',
    [
      ['+', '*'],
      ['1', '3'],
    ],
    'f(2)',
    [3, 2, 5],
  ],
  [
    'a declared function',
    'function f(x) { const g = (y) => y + x; return g(1); }',
    [['+', '-']],
    'f(3)',
    [4, -2],
  ],
  [
    'an arrow without braces',
    'var f = (x) => ({ x: x + 1 });',
    [
      ['+', '-'],
      ['({ x: x + 1 })', 'x'],
    ],
    'f(1)',
    ['{"x":2}', '{"x":0}', 1],
  ],
  [
    'a whole body',
    'function f(x) { "use strict"; let y = 0; for (const z of x) y += z; return y; }',
    [
      ['let y = 0;', 'let y = 1, z;'],
      ['let y = 0; for', 'if (!x.length) return -1; let y = 0; for'],
    ],
    'f([])',
    [0, 1, -1],
  ],
  [
    'break and continue',
    'function f(n) { let i = 0; for (;;) { i++; if (i < 3) continue; break; } return i; }',
    [
      ['3', '5'],
      ['break;', 'return 9;'],
    ],
    'f()',
    [3, 5, 9],
  ],
  [
    'a branch without braces',
    'function f(x) { if (x) return 1; else return 2; }',
    [
      ['1', '3'],
      ['2', '4'],
    ],
    '[f(1), f(0)]',
    ['[1,2]', '[3,2]', '[1,4]'],
  ],
  [
    'a dangling else',
    'function f(a, b) { if (a) if (b) return 1; else return 2; return 3; }',
    [['2', '4']],
    '[f(1, 0), f(0, 0)]',
    ['[2,3]', '[4,3]'],
  ],
  [
    'a labelled loop',
    'function f() { let n = 0; outer: for (;;) { for (;;) { n++; if (n > 2) break outer; continue outer; } } return n; }',
    [['2', '4']],
    'f()',
    [3, 5],
  ],
  [
    'a switch',
    'function f(x) { switch (x) { case 1: x = 10; break; default: x = 20; } return x; }',
    [
      ['10', '11'],
      ['break', 'return 0'],
    ],
    'f(1)',
    [10, 11, 0],
  ],
  [
    'a getter and a method',
    'class A { get a() { return 1; } m() { return this.a + 1; } } var f = () => new A().m();',
    [
      ['return 1', 'return 5'],
      ['+ 1', '- 1'],
    ],
    'f()',
    [2, 6, 0],
  ],
  [
    'a generator',
    'function* g() { yield 1; const x = yield 2; yield x; } var f = () => [...g()];',
    [
      ['yield 1', 'yield 7'],
      ['yield 2', 'yield 8'],
    ],
    'f()',
    ['[1,2,null]', '[7,2,null]', '[1,8,null]'],
  ],
  [
    'an async function',
    'async function f(x) { const y = await x; return y + 1; }',
    [
      ['+', '-'],
      ['await x', '1'],
    ],
    'f(Promise.resolve(4))',
    [5, 3, 2],
  ],
  [
    'hoisted functions',
    'function f() { return g(); function g() { return 1; } }',
    [
      ['g();', 'g() + 1;'],
      ['return 1', 'return 2'],
    ],
    'f()',
    [1, 2, 2],
  ],
  [
    'a constructor after super',
    'class A {} class B extends A { constructor() { super(); this.x = 1; } } var f = () => new B().x;',
    [['1', '2']],
    'f()',
    [1, 2],
  ],
  [
    'a loop head',
    'function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
    [
      ['i = 0', 'i = 2'],
      ['<', '<='],
      ['i++', 'i += 2'],
    ],
    'f(4)',
    [6, 5, 10, 2],
  ],
  [
    'this and arguments',
    'var o = { f() { return this.k + arguments.length; }, k: 1 };',
    [['+', '-']],
    'o.f(1)',
    [2, 0],
  ],
];

describe('embedCandidates', () => {
  it.each(TABLE)(
    'embeds candidates that are active one at a time: %s',
    async (_, text, edits, expression, expected) => {
      expect(await valuesOf(text, edits, expression)).toEqual(expected);
    },
  );

  it('numbers candidates from the first number on, those of one region in a row', () => {
    const text = 'function f(x) { x += 1; x -= 2; return x; }';
    const candidates = [
      ['1', '3'],
      ['2', '4'],
      ['+=', '*='],
    ].map(([a, b]) => replacing(text, a!, b!));
    const { embedded } = embedCandidates(parsed(text), candidates, 10);
    expect(embedded.map(({ id, candidate }) => [id, candidate.signature])).toEqual([
      [10, '1 → 3'],
      [12, '2 → 4'],
      [11, '+= → *='],
    ]);
  });

  it('leaves out code that runs once, code before super() and edits that do not parse', () => {
    const text =
      'const K = 1; class A {} class B extends A { constructor(x = 2) { super(3); } } function f() { return 4; }';
    const candidates = [
      ['1', '9'],
      ['2', '9'],
      ['3', '9'],
      ['4', '(('],
      ['4', '5'],
    ].map(([a, b]) => replacing(text, a!, b!));
    const { embedded, left } = embedCandidates(parsed(text), candidates, 1);
    expect(left.map(({ signature }) => signature)).toEqual(['1 → 9', '2 → 9', '3 → 9', '4 → ((']);
    expect(embedded.map(({ candidate }) => candidate.signature)).toEqual(['4 → 5']);
  });

  it('adds a tick to each loop, in the original and in every copy', () => {
    const text = 'function f() { let n = 0; while (n >= 0) n++; for (;;) { n++; } }';
    const source = embedCandidates(parsed(text), [replacing(text, '>= 0', '> -1')], 1);
    expect(source.text.match(/__ralphTick/g)).toHaveLength(3);
  });

  it('keeps real sources free of syntax errors with all candidates proposed for them', () => {
    const folder = join(import.meta.dirname, '../../../../src/repair');
    const files = ['trial/instrument/wrap-tests.ts', 'trial/runtime/test-file-session.ts', 'syntax/walk.ts'];
    for (const file of files) {
      const source = parsed(readFileSync(join(folder, file), 'utf8'), file);
      const candidates = proposeCandidates({ file, text: source.text, limit: 150 });
      const { text, embedded, left } = embedCandidates(source, candidates, 1);
      expect(parsed(text, file).errors, file).toEqual(source.errors);
      expect(embedded.length + left.length).toBe(candidates.length);
    }
  });
});
