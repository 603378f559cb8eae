import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../src/repair/operators/propose/candidates.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { OPERATORS } from '../../../src/repair/operators/index.ts';
import { SYNTHESIS_REPAIRS } from './synthesis-repairs.ts';

interface Asked {
  readonly operator: string;
  readonly file?: string;
  readonly expected?: readonly string[];
  readonly literals?: readonly string[];
}

const proposed = (text: string, { operator, file = 'a.js', expected = [], literals = [] }: Asked): string[] =>
  proposeCandidates({
    file,
    text,
    operators: new Set([operator]),
    hints: { expected, received: [], literals },
  }).map(({ edits }) => squeezed(applyEdits(text, edits)));

/** Without line breaks and runs of whitespace. */
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Repairs that the operator must propose. */
const REPAIRS: readonly (readonly [operator: string, before: string, after: string])[] = [
  ['comparison', 'if (a < b) c();', 'if (a <= b) c();'],
  [
    'super-call',
    'class A extends B { constructor(a, b = 1) { this.b = b; } }',
    'class A extends B { constructor(a, b = 1) { super(a); this.b = b; } }',
  ],
  [
    'lost-use',
    'const clean = (s) => s.trim(); function f(a) { let b = a; return b; }',
    'const clean = (s) => s.trim(); function f(a) { let b = a; b = clean(b); return b; }',
  ],
  [
    'lost-use',
    'function A() { var fail = null; this.f = function (failed) { }; this.g = () => fail(1); }',
    'function A() { var fail = null; this.f = function (failed) { fail = failed; }; this.g = () => fail(1); }',
  ],
  [
    'lost-use',
    'class A { constructor(size) { } get full() { return this.size > 9; } }',
    'class A { constructor(size) { this.size = size; } get full() { return this.size > 9; } }',
  ],
  [
    'lost-use',
    'class A { #reset() { } stop() { this.end(); } }',
    'class A { #reset() { } stop() { this.#reset(); this.end(); } }',
  ],
  [
    'lost-update',
    'function f(l) { const out = []; for (const x of l) { } return out; }',
    'function f(l) { const out = []; for (const x of l) { out.push(x); } return out; }',
  ],
  [
    'lost-update',
    'function f(o, all = {}) { for (const k in o) { const v = o[k]; if (v) { } } return all; }',
    'function f(o, all = {}) { for (const k in o) { const v = o[k]; if (v) { all[k] = v; } } return all; }',
  ],
  [
    'lost-update',
    'class A { open = false; start() { this.go(); } stop() { return this.open; } }',
    'class A { open = false; start() { this.open = true; this.go(); } stop() { return this.open; } }',
  ],
  [
    'donor-statement',
    'class A { add(x) { this.l.push(x); this.n++; } drop() { this.l.pop(); } }',
    'class A { add(x) { this.l.push(x); this.n++; } drop() { this.n--; this.l.pop(); } }',
  ],
  [
    'donor-statement',
    'function f(a) { check(a); go(a); } function g(b) { run(b); }',
    'function f(a) { check(a); go(a); } function g(b) { check(b); run(b); }',
  ],
  [
    'plain-statement',
    'function f(o, e) { if (typeof o.end === "function") { } }',
    'function f(o, e) { if (typeof o.end === "function") { o.end(e); } }',
  ],
  [
    'plain-statement',
    'function f(a, b, c, o) { for (const k of a) { const v = b[k]; if (o[k]) { o[k] = c(v); } else { } } }',
    'function f(a, b, c, o) { for (const k of a) { const v = b[k]; if (o[k]) { o[k] = c(v); } else { o[k] = v; } } }',
  ],
  [
    'plain-statement',
    'function f(n) { while (n.next) { g(n); } return n; }',
    'function f(n) { while (n.next) { g(n); n = n.next; } return n; }',
  ],
  ['comparison', 'if (a === b) c();', 'if (a !== b) c();'],
  ['comparison', 'if (a >= 1) c();', 'if (a < 1) c();'],
  ['swap-compared', 'f(a < b.c);', 'f(b.c < a);'],
  ['arrow-for-comparison', 'l.filter(x > d[x] < 1);', 'l.filter(x => d[x] <= 1);'],
  ['arithmetic', 'let a = b - c;', 'let a = b / c;'],
  ['arithmetic', 'let a = (b + c) * d;', 'let a = (b + c) / d;'],
  ['arithmetic', 'let a = b * c + d;', 'let a = b * c - d;'],
  ['arithmetic', 'let a = b + c * d;', 'let a = b + c / d;'],
  ['arithmetic', 'let a = b + -c * 2;', 'let a = b + (-c) ** 2;'],
  ['swap-operands', 'let a = b - c * d;', 'let a = c * d - b;'],
  ['swap-operands', 'let a = b - (c - d);', 'let a = (c - d) - b;'],
  ['swap-operands', 'let a = b - c - d;', 'let a = d - (b - c);'],
  ['regroup', 'let a = b + c * d;', 'let a = (b + c) * d;'],
  ['regroup', 'let a = (b + c) * d;', 'let a = b + c * d;'],
  ['assignment', 'a += b;', 'a -= b;'],
  ['assignment', 'a = b;', 'a += b;'],
  ['update', 'i++;', 'i--;'],
  ['update', 'f(i++);', 'f(++i);'],
  ['sign', 'let a = b * -1;', 'let a = b * 1;'],
  ['sign', 'function f(a) { return a; }', 'function f(a) { return -a; }'],
  ['integer-division', 'let a = b / c;', 'let a = (b - b % c) / c;'],
  ['logical', 'if (a && b) c();', 'if (a || b) c();'],
  ['logical', 'if (a && b && c) d();', 'if (a || b || c) d();'],
  ['drop-condition', 'if (a && b) c();', 'if (b) c();'],
  ['negate', 'if (a.b) c();', 'if (!a.b) c();'],
  ['negate', 'if (!a) b();', 'if (a) b();'],
  ['negate', 'if ((a instanceof B)) c();', 'if (!(a instanceof B)) c();'],
  ['negate', 'if (a || b) c();', 'if (!(a || b)) c();'],
  ['constant-condition', 'if (a) b();', 'if (true) b();'],
  [
    'missing-case',
    'if (x + y === z || x === y + z) a();',
    'if (x + y === z || x === y + z || y === x + z) a();',
  ],
  [
    'extra-condition',
    'function f(a) { if (a > 1) g(); if (a < 9) h(); }',
    'function f(a) { if (a > 1 && a < 9) g(); if (a < 9) h(); }',
  ],
  ['drop-term', 'let a = b + c - 1;', 'let a = b + c;'],
  ['drop-term', 'let a = (b + c) * d;', 'let a = (b + c);'],
  ['drop-term', 'let a = b.length - l + 1;', 'let a = b.length;'],
  ['extra-term', 'function f(a, b) { return a; }', 'function f(a, b) { return a + b; }'],
  ['scale', 'function f(a, b) { return a + b; }', 'function f(a, b) { return (a + b) / 2; }'],
  ['off-by-one', 'f(a[i]);', 'f(a[i + 1]);'],
  ['off-by-one', 'while (i < a.length) f();', 'while (i < a.length - 1) f();'],
  ['off-by-one', 't.at(-i);', 't.at(-i - 1);'],
  ['other-end', 'f(a[0]);', 'f(a[a.length - 1]);'],
  ['number', 'let i = 1;', 'let i = 0;'],
  ['number', 'let i = 12;', 'let i = 11;'],
  ['number', 'f(-1, 5);', 'f(-5, 5);'],
  ['string', "f('abd', 'abc');", "f('abc', 'abc');"],
  ['string', "f('-');", "f('');"],
  ['boolean', 'let a = true;', 'let a = false;'],
  ['nothing', 'let a = null;', 'let a = undefined;'],
  ['template-text', 'f(`${a} ${b}`);', 'f(`${a}${b}`);'],
  ['regex', 'f(/a+$/);', 'f(/a+$/g);'],
  ['regex', 'f(/\\d/);', 'f(/\\d+/);'],
  ['regex', 'f(/[a-z]/);', 'f(/[a-zA-Z]/);'],
  ['variable', 'function f(a, b) { return a * a; }', 'function f(a, b) { return a * b; }'],
  ['variable', 'let a = 0, b = 0; a += 1;', 'let a = 0, b = 0; b += 1;'],
  ['shorthand', 'function f(a, b) { return { a }; }', 'function f(a, b) { return { a: b }; }'],
  [
    'literal-to-variable',
    "function f(text) { return md5('text'); }",
    'function f(text) { return md5(text); }',
  ],
  ['expression-to-variable', 'function f(a, k) { return g(a.length); }', 'function f(a, k) { return g(k); }'],
  [
    'this',
    'class A { m(n) { return n + this.k; } k() { return k; } }',
    'class A { m(n) { return n + this.k; } k() { return this.k; } }',
  ],
  ['initial-value', 'let a = 0;', 'let a = Infinity;'],
  ['initial-value', 'let a;', 'let a = 0;'],
  [
    'reuse',
    'function f(a, m) { return g(a.length) / m; }',
    'function f(a, m) { return g(a.length) / a.length; }',
  ],
  ['built-in', 'Math.min(a, b);', 'Math.max(a, b);'],
  ['built-in', 'a.push(b);', 'a.unshift(b);'],
  ['property', 'f({ first: 1, last: 2 }, a.first);', 'f({ first: 1, last: 2 }, a.last);'],
  ['drop-property', 'f(a.b);', 'f(a);'],
  ['append', 'let a = b;', 'let a = b.toLowerCase();'],
  ['append', 'function f(l) { return l.map(g); }', 'function f(l) { return l.map(g).slice(1); }'],
  ['append-inside', "let a = b.split('');", "let a = b.trim().split('');"],
  ['part', 'let i = 0; f(s);', 'let i = 0; f(s.slice(i));'],
  ['drop-step', 'f(a.trim().length);', 'f(a.length);'],
  ['wrap', 'let d = a - b;', 'let d = Math.abs(a - b);'],
  ['wrap', 'let a = l.map(f);', 'let a = [...new Set(l.map(f))];'],
  ['convert', 'f(a.b);', 'f(Number(a.b));'],
  ['other-conversion', 'f(String(a));', 'f(Number(a));'],
  ['other-conversion', 'let a = parseInt(b, 10);', 'let a = parseFloat(b);'],
  [
    'apply-function',
    'function f(a) { return a; } f(1); g(f(x));',
    'function f(a) { return a; } f(1); g(f(f(x)));',
  ],
  ['unwrap', 'let a = Math.floor(b / 2);', 'let a = b / 2;'],
  ['swap-arguments', 'f(a, b, c);', 'f(b, a, c);'],
  ['drop-argument', 'f(a, b);', 'f(a);'],
  ['extra-argument', 'l.sort();', 'l.sort((a, b) => a - b);'],
  ['extra-argument', 'parseInt(a);', 'parseInt(a, 10);'],
  ['spread-argument', 'Math.max(list);', 'Math.max(...list);'],
  ['swap-parameters', 'l.sort((a, b) => a - b);', 'l.sort((b, a) => a - b);'],
  ['call-or-value', 'let a = b.trim;', 'let a = b.trim();'],
  ['swap-elements', 'f([a, b]);', 'f([b, a]);'],
  ['swap-properties', 'f({ ...options, a: 1 });', 'f({ a: 1, ...options });'],
  ['drop-element', 'f([a, b]);', 'f([a]);'],
  ['sequence-to-list', 'function f(a, b) { return (a, b); }', 'function f(a, b) { return [a, b]; }'],
  ['unwrap-list', 'f([...a]);', 'f(a);'],
  ['swap-template-parts', 'f(`${a}-${b}`);', 'f(`${b}-${a}`);'],
  [
    'return-value',
    'function f(a) { let b = a * 2; return a; }',
    'function f(a) { let b = a * 2; return b; }',
  ],
  ['missing-return', 'function f(a) { a.map(g); }', 'function f(a) { return a.map(g); }'],
  [
    'flip-returns',
    'function f(a) { if (a) return true; return false; }',
    'function f(a) { if (a) return false; return true; }',
  ],
  ['arrow-value', 'const f = (a) => { a.b };', 'const f = (a) => a.b;'],
  ['negate-return', 'function f(a, b) { return a && b; }', 'function f(a, b) { return !(a && b); }'],
  ['delete-statement', 'function f() { a(); b(); }', 'function f() { b(); }'],
  ['delete-else', 'if (a) { b(); } else { c(); }', 'if (a) { b(); }'],
  ['move-statement', 'function f() { a(); b(); }', 'function f() { b(); a(); }'],
  [
    'move-into',
    'function f() { for (const a of b) { c(); } d(); }',
    'function f() { for (const a of b) { c(); d(); } }',
  ],
  ['duplicate-statement', 'function f() { a(); }', 'function f() { a(); a(); }'],
  ['discarded-result', 'let a = b; a.filter(Boolean);', 'let a = b; a = a.filter(Boolean);'],
  ['jump', 'for (const a of b) { if (a) break; }', 'for (const a of b) { if (a) continue; }'],
  ['missing-jump', 'for (const a of b) { if (a) { c(); } }', 'for (const a of b) { if (a) { c(); break; } }'],
  ['swap-branches', 'let a = b ? c : d;', 'let a = b ? d : c;'],
  ['swap-branches', 'if (a) { b(); } else { c(); }', 'if (a) { c(); } else { b(); }'],
  [
    'chain-branches',
    'function f() { if (a) { b(); } if (c) { d(); } }',
    'function f() { if (a) { b(); } else if (c) { d(); } }',
  ],
  [
    'missing-else',
    'function f() { n++; if (a) { b(); } }',
    'function f() { n++; if (a) { b(); } else { n++; } }',
  ],
  [
    'missing-else',
    'function f() { n++; if (a) { throw b; } c(); }',
    'function f() { n++; if (a) { throw b; } n++; c(); }',
  ],
  ['while-or-if', 'if (a.length > 2) { a.pop(); }', 'while (a.length > 2) { a.pop(); }'],
  ['loop-head', 'for (const a of b) c();', 'for (const a in b) c();'],
  ['loop-head', 'for (let i = 0; i < n; i++) f(i);', 'for (let i = n - 1; i >= 0; i--) f(i);'],
  [
    'guard',
    'function f(list) { return list.map(g); }',
    'function f(list) { if (list.length === 0) return []; return list.map(g); }',
  ],
  [
    'conditional',
    'for (const a of b) for (const c of d) e(a);',
    'for (const a of b) for (const c of d) if (c === a) e(a);',
  ],
  [
    'reset',
    'function f(l) { let n = 1; for (const a of l) { n++; g(n); } }',
    'function f(l) { let n = 1; for (const a of l) { n++; g(n); n = 1; } }',
  ],
  [
    'advance',
    'function f(n) { while (n) { g(n % 2); } }',
    'function f(n) { while (n) { g(n % 2); n %= 2; } }',
  ],
  ['copy-statement', 'function f() { a(); if (b) { c(); } }', 'function f() { a(); if (b) { c(); a(); } }'],
  [
    'use-of-unread',
    'function f(l) { let n = 0; for (const a of l) { let y = 1; if (a) { y = 0; } } return n; }',
    'function f(l) { let n = 0; for (const a of l) { let y = 1; if (a) { y = 0; } if (y === 1) n++; } return n; }',
  ],
  [
    'assign-unused',
    'function f() { let r = 0; g(); return r; }',
    'function f() { let r = 0; r = g(); return r; }',
  ],
  ['missing-await', 'async function f() { return g().a; }', 'async function f() { return (await g()).a; }'],
  ['missing-await', 'function f() { let a = g(); }', 'async function f() { let a = await g(); }'],
  ['drop-await', 'async function f() { await g(); }', 'async function f() { g(); }'],
  ['optional-chain', 'f(a.b);', 'f(a?.b);'],
  ['optional-chain', 'f(a[0]);', 'f(a?.[0]);'],
  ['fallback', 'let a = b.c + 1;', 'let a = (b.c ?? 0) + 1;'],
  ['parameter-default', 'function f(a) { return a; }', 'function f(a = 0) { return a; }'],
  ['both-sides', 'f(String(a) === String(b));', 'f(String(a.trim()) === String(b.trim()));'],
  [
    'swap-indices',
    'function f(t) { return t[0] > 12 || t[1] > 31 || t[0] < 1; }',
    'function f(t) { return t[1] > 12 || t[0] > 31 || t[1] < 1; }',
  ],
  [
    'flip-flag',
    'function f() { let a = false; if (b) a = true; return a; }',
    'function f() { let a = true; if (b) a = false; return a; }',
  ],
  ['rename-all', 'function f(a, b) { return a / b; }', 'function f(a, b) { return b / a; }'],
];

describe('operators', () => {
  it.each(REPAIRS)('%s: %s → %s', (operator, before, after) => {
    expect(proposed(before, { operator, expected: ['[]'] })).toContain(after);
  });

  it('have unique names, priors within 0..1 and at least one repair in these tests', () => {
    const names = OPERATORS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(OPERATORS.every(({ prior }) => prior > 0 && prior <= 1)).toBe(true);
    const shown = new Set([
      ...REPAIRS.map(([operator]) => operator),
      ...SYNTHESIS_REPAIRS.map(({ operator }) => operator),
      // Needs a type checker: tested in typed-members.test.ts.
      'typed-member',
      'absent-value',
    ]);
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('propose literals that the failing tests expect or contain', () => {
    expect(proposed("f('Jupyter');", { operator: 'string', literals: ["'Jupiter'"] })).toContain(
      "f('Jupiter');",
    );
    expect(proposed('let n = 5;', { operator: 'number', literals: ['42'] })).toContain('let n = 42;');
    const returns = proposed('function f() { return x; }', { operator: 'return-value', expected: ["'YES'"] });
    expect(returns).toContain("function f() { return 'YES'; }");
  });

  it('ignore hints that are no literals', () => {
    const hinted = proposed('function f() { return x; }', {
      operator: 'return-value',
      expected: ['[Function f]', 'steal()', 'a'.repeat(100)],
    });
    expect(hinted.join()).not.toMatch(/steal|Function f|aaaa/);
  });

  it('neither assign to constants nor use names before their declaration', () => {
    const text = 'const a = 1; let b = 2; b = f(b); let c = 3;';
    const changed = proposed(text, { operator: 'variable' });
    expect(changed).not.toContain('const a = 1; let b = 2; a = f(b); let c = 3;');
    expect(changed).not.toContain('const a = 1; let b = 2; b = f(c); let c = 3;');
    expect(changed).toContain('const a = 1; let b = 2; b = f(a); let c = 3;');
  });

  it('do not change types, imports and property keys', () => {
    const text = "import a from 'b'; type C = 'd'; const e = { f: 1 as 1 | 2 }; let g: 'h' = i;";
    for (const operator of ['string', 'variable', 'property']) {
      for (const changed of proposed(text, { operator, file: 'a.ts', literals: ["'zz'"] })) {
        expect(changed).toContain("import a from 'b'; type C = 'd';");
        expect(changed).toMatch(/let g: 'h' =/);
      }
    }
  });
});
