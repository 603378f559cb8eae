import type { Hints } from '../../../src/repair/syntax/literals.ts';

/** A repair that an operator must propose, possibly with hints from the failing tests. */
export interface SynthesisRepair {
  readonly operator: string;
  readonly before: string;
  readonly after: string;
  readonly hints?: Partial<Hints>;
}

const repair = (
  operator: string,
  before: string,
  after: string,
  hints?: Partial<Hints>,
): SynthesisRepair => ({
  operator,
  before,
  after,
  hints,
});

const near = (...strings: string[]): Partial<Hints> => ({ near: strings });
const differing = (received: string, expected: string): Partial<Hints> => ({
  received: [JSON.stringify(received)],
  expected: [JSON.stringify(expected)],
});

const OWN = 'Object.prototype.hasOwnProperty';

/** At least one for each operator that adds missing logic. */
export const SYNTHESIS_REPAIRS: readonly SynthesisRepair[] = [
  repair(
    'case-test',
    'const isUpper = (c) => c.toUpperCase() === c;',
    'const isUpper = (c) => c.toLowerCase() !== c;',
  ),
  repair(
    'case-test',
    'const f = (a, b) => (a + b).toUpperCase() === (a + b);',
    'const f = (a, b) => (a + b).toLowerCase() !== (a + b);',
  ),
  repair(
    'whole-or-part',
    'const f = (a, b) => (a + b).includes(a ? b : 1);',
    'const f = (a, b) => (a + b) === (a ? b : 1);',
  ),
  repair('regex-parts', 'let a = /^(?=.*)\\d+$/;', 'let a = /^(?=.*)\\d*$/;'),
  repair(
    'regex-extract',
    "const ROOT = /^[a-z]:/i; function f(p) { const root = p.split('/').shift(); return root; }",
    "const ROOT = /^[a-z]:/i; function f(p) { const root = ROOT.exec(p)?.[0] ?? ''; return root; }",
  ),
  repair(
    'extra-check',
    'function f(l, options) { for (const x of l) { if (!options.all) { g(x); } } }',
    'function f(l, options) { for (const x of l) { if (!options.all && (!options.filter || options.filter(x))) { g(x); } } }',
    { options: [{ name: 'filter', isFunction: true }] },
  ),
  repair(
    'extra-check',
    'function f(a, b) { return a.endsWith(b) ? 1 : 2; }',
    'function f(a, b) { return b && a.endsWith(b) ? 1 : 2; }',
  ),
  repair(
    'extra-check',
    'function f(a) { if (!R.test(a)) g(); }',
    'function f(a) { if (a && !R.test(a)) g(); }',
  ),
  repair(
    'extra-check',
    "function f(v) { if (typeof v === 'object') g(v); }",
    "function f(v) { if (v !== null && typeof v === 'object') g(v); }",
  ),
  repair(
    'extra-check',
    'function f(v) { if (v[0] === 1) g(v); }',
    "function f(v) { if (v[0] === 1 && !v.includes('\\\\')) g(v); }",
    near('a\\b'),
  ),
  repair(
    'extra-check',
    'const ends = []; function f(a, b) { if (a.startsWith(b)) g(); }',
    'const ends = []; function f(a, b) { if (a.startsWith(b) && ends.includes(a[b.length])) g(); }',
  ),
  repair(
    'early-exit',
    'function f(list) { for (const key of list) { g(key); } }',
    "function f(list) { for (const key of list) { if (key === '__p') continue; g(key); } }",
    near('__p'),
  ),
  repair(
    'early-exit',
    'function f(c) { if (c.d) return c; return 1; }',
    'function f(c) { if (/\\d/.test(c)) return null; if (c.d) return c; return 1; }',
    { near: ['a1'], expected: ['null'] },
  ),
  repair(
    'early-exit',
    'function isA(x) { return 1; } function f(x, y) { g(y); return y; }',
    'function isA(x) { return 1; } function f(x, y) { g(y); if (!isA(y)) return x; return y; }',
  ),
  repair(
    'when-check',
    'function f(a, extended) { let t = a; t += 1; return t; }',
    'function f(a, extended) { let t = a; if (extended) t += 1; return t; }',
  ),
  repair('invert-guard', 'if (a && b !== 1) c();', 'if (!a || b !== 1) c();'),
  repair('invert-guard', 'if (a && b !== 1) c();', 'if (a === null || b !== 1) c();'),
  repair('invert-guard', 'if (!a || b) c();', 'if (a && b) c();'),
  repair(
    'wrap-round',
    'function f(c) { c = 10 - (c % 10); return c; }',
    'function f(c) { c = (10 - (c % 10)) % 10; return c; }',
  ),
  repair(
    'copy-branch',
    'function f(o) { if (o.strict) return null; return 1; } function g(o) { return 2; }',
    'function f(o) { if (o.strict) return null; return 1; } function g(o) { if (o.strict) return null; return 2; }',
  ),
  repair(
    'empty-body',
    "const h = { _number(n) { return w('number:' + n); }, _boolean(b) {} };",
    "const h = { _number(n) { return w('number:' + n); }, _boolean(b) { return w('boolean:' + b); } };",
  ),
  repair(
    'expected-text',
    "function f(a) { return a + '::b'; }",
    "function f(a) { return a + ':b'; }",
    differing('x::b', 'x:b'),
  ),
  repair(
    'expected-text',
    'function f(a) { return `<${a}-y>`; }',
    'function f(a) { return `<${a}+y>`; }',
    differing('<x-y>', '<x+y>'),
  ),
  repair(
    'conditional-value',
    'function f(a) { return a.trim(); }',
    "function f(a) { return a ? a.trim() : ''; }",
  ),
  repair('definedness', 'if (a.b) c();', 'if (a.b !== undefined) c();'),
  repair('definedness', 'if (!a) c();', 'if (a == null) c();'),
  repair(
    'object-or-null',
    "if (typeof a.b === 'object') c();",
    "if (a.b !== null && typeof a.b === 'object') c();",
  ),
  repair(
    'object-or-null',
    "if (d || typeof a != 'object') c();",
    "if (d || a === null || typeof a != 'object') c();",
  ),
  repair('sort-of-nothing', 'if (a === null) c();', 'if (a == null) c();'),
  repair('sort-of-nothing', 'if (a.b === undefined) c();', 'if (!a.b) c();'),
  repair('whole-or-part', "if (s === '**') c();", "if (s.startsWith('**')) c();"),
  repair('whole-or-part', "if (s !== '**') c();", "if (!s.includes('**')) c();"),
  repair('whole-or-part', "if (s.startsWith('**')) c();", "if (s === '**') c();"),
  repair('own-property', 'if (k in o) c();', `if (${OWN}.call(o, k)) c();`),
  repair('own-property', 'if (o[k]) c();', 'if (k in o) c();'),
  repair('own-property', 'if (o.hasOwnProperty(k)) c();', `if (${OWN}.call(o, k)) c();`),
  repair('own-keys', 'for (const k in o) { c(k); }', 'for (const k of Object.keys(o)) { c(k); }'),
  repair(
    'own-keys',
    'for (const k in o) { c(k); }',
    `for (const k in o) { if (!${OWN}.call(o, k)) continue; c(k); }`,
  ),
  repair('object-making', 'let a = Object.assign({}, b);', 'let a = { ...b };'),
  repair('object-making', 'let a = { ...b, ...c };', 'let a = Object.assign({}, b, c);'),
  repair('object-making', 'let a = {};', 'let a = Object.create(null);'),
  repair('look-alike', 'if (a instanceof Promise) c();', "if (typeof a?.then === 'function') c();"),
  repair('look-alike', 'if (a instanceof Map) c();', "if (a?.constructor?.name === 'Map') c();"),
  repair('regex-parts', 'let a = /b\\s+{/;', 'let a = /b\\s*{/;'),
  repair('regex-parts', 'let a = /\\d{2,3}$/;', 'let a = /\\d{2,}$/;'),
  repair('regex-parts', 'let a = /3([0-5]\\d|6[1-6])/;', 'let a = /3([0-5]\\d|6[0-6])/;'),
  repair('regex-parts', 'let a = /[1,4,5]x/;', 'let a = /[145]x/;'),
  repair('regex-parts', 'let a = /^[a-z]+$/;', 'let a = /^[a-z\\-]+$/;', near('a-b')),
  repair('regex-parts', 'let a = /(?<=\\s|^|;)b/;', 'let a = /(?<=\\s|^|;|\\})b/;', near('}b')),
  repair('regex-parts', 'let a = /(cat|dog)s/;', 'let a = /(cat|dog|cow)s/;', near('cow')),
  repair('regex-parts', 'let a = /^b|^c$/;', 'let a = /^\\s*b|^\\s*c\\s*$/;'),
  repair('regex-parts', 'let a = /function x/;', 'let a = /function\\*? x/;', near('function* x')),
  repair('regex-text', "new RegExp('^a+');", "new RegExp('^a*');"),
  repair('text-edges', "f('.*');", "f('?.*');"),
  repair('text-edges', 'f(`${a}, `);', 'f(`${a},`);'),
  repair('alternative', "if (k === 'a') c();", "if (k === 'a' || k === 'b') c();", near('b')),
  repair('alternative', "let l = ['a'];", "let l = ['a', 'b'];", near('b')),
  repair(
    'alternative',
    "if (typeof k !== 'object') c();",
    "if (typeof k !== 'object' && typeof k !== 'function') c();",
  ),
  repair(
    'clean-text',
    'const R = /^x/; function f(a) { return g(a.trim()); }',
    "const R = /^x/; function f(a) { return g(a.trim().replace(R, '')); }",
  ),
  repair(
    'clean-text',
    'function f(a) { return g(a); }',
    "function f(a) { return g(a.replace(/^\\/+/, '')); }",
    near('/x'),
  ),
  repair(
    'extra-property',
    'f({ month: 1, day: 1 }); g({ month: 2 });',
    'f({ month: 1, day: 1 }); g({ month: 2, day: 1 });',
  ),
  repair(
    'set-option',
    'function f(a, options) { h(options.strict); return g(a, options); }',
    'function f(a, options) { h(options.strict); return g(a, { ...options, strict: false }); }',
  ),
];
