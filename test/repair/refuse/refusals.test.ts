import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/repair/refuse/index.ts';
import { readTestValues } from '../../../src/repair/refuse/evidence.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';

/** The refusal of the edit that replaces `from` in the source by `to`, with the given text of the tests. */
function refusal(source: string, [from, to]: readonly [string, string], tests: string): string | undefined {
  const start = source.indexOf(from);
  if (start < 0) throw new Error(`The source has no ${from}`);
  const edit = { file: 'a.js', start, end: start + from.length, replacement: to };
  const candidate = { edits: [edit], operator: 'test', line: 1, signature: to, prior: 1 };
  return refusalOf(
    parseSource('a.js', source) as ParsedSource,
    candidate,
    readTestValues({ file: 'a.test.js', text: tests }, []),
  );
}

const AREA = 'function area(w, h) {\n  return w + h;\n}\n';
const AREA_TESTS = 'assert.equal(area(12, 24), 288);';
const WORDS = 'function shout(s) {\n  const t = s.trim();\n  return t;\n}\n';
const WORDS_TESTS = "assert.equal(shout('abc'), 'AB'); assert.equal(shout('one'), 'one three five');";

describe('refusalOf: an expected value', () => {
  it.each([
    ['return w + h;', 'return 288;'],
    ['return w + h;', 'if (w > 0) return 288; return w + h;'],
    ['w + h', 'h ? 288 : w + h'],
    ['w + h', 'w && 288'],
    ['return w + h;', 'let r = w + h; r = 288; return r;'],
  ])('refuses %s → %s', (from, to) => {
    expect(refusal(AREA, [from, to], AREA_TESTS)).toContain('288');
  });

  it.each([
    ['return t;', "return 'one three five';"],
    ['return t;', "return t || 'one three five';"],
    ['s.trim()', "s.trim() + 'one three five'"],
    ['return t;', "if (s.startsWith('ab')) return 'AB'; return t;"],
  ])('refuses %s → %s', (from, to) => {
    expect(refusal(WORDS, [from, to], WORDS_TESTS)).toMatch(/puts in "/);
  });

  it('refuses an array or object that a test expects', () => {
    const source = 'function pair(a, b) {\n  return [b, a];\n}\n';
    expect(refusal(source, ['[b, a]', '[5, 7]'], 'deepEqual(pair(7, 5), [5, 7])')).toContain('[5,7]');
    const object = 'function at(a) {\n  return {x: a};\n}\n';
    expect(refusal(object, ['{x: a}', "{ 'x': 9 }"], 'deepEqual(at(3), { x: 9 })')).toContain('puts in');
  });

  it.each([
    ['an operator', AREA, ['w + h', 'w * h'], AREA_TESTS],
    [
      'a common constant for an empty list',
      'const f = (l) => {\n  return l[0];\n};\n',
      ['return l[0];', 'if (l.length === 0) return 0; return l[0];'],
      'equal(f([]), 0)',
    ],
    [
      'a constant that the code has',
      "const f = (n) => {\n  if (n < 0) return 'none';\n  return n;\n};\n",
      ['return n;', "if (n === 0) return 'none'; return n;"],
      "equal(f(0), 'none')",
    ],
    [
      'a constant that the documentation names',
      "/** Returns 'nobody' without a name. */\nconst f = (n) => {\n  return n;\n};\n",
      ['return n;', "if (!n) return 'nobody'; return n;"],
      "equal(f(''), 'nobody')",
    ],
    ['a neighbouring number', 'const f = () => {\n  return 287;\n};\n', ['287', '288'], 'equal(f(), 288)'],
    [
      'a corrected spelling in a table',
      "const P = ['Mars', 'Jupyter'];\nconst f = (i) => P[i];\n",
      ["'Jupyter'", "'Jupiter'"],
      "equal(f(1), 'Jupiter')",
    ],
    [
      'a number that is computed with',
      'const f = (c) => c * 2 + 30;\n',
      ['c * 2', 'c * 9'],
      'equal(f(9), 111)',
    ],
    ['a separator', "const f = (l) => l.join(' ');\n", ["' '", "', '"], "equal(f(['a', 'b']), 'a, b')"],
  ] as const)('accepts %s', (_, source, change, tests) => {
    expect(refusal(source, change, tests)).toBeUndefined();
  });

  it('does not take an example in the documentation for prose', () => {
    const source = `/**\n * area(12, 24) // => 288\n * >>> area(12, 24)\n * 288\n * Output: 288\n */\n${AREA}`;
    expect(refusal(source, ['w + h', '288'], AREA_TESTS)).toContain('288');
  });
});

describe('refusalOf: a condition on an input', () => {
  it.each([
    ['return t;', "if (s === 'abc') return t.toUpperCase(); return t;"],
    ['return t;', "if (s.startsWith('ab')) return t.toUpperCase(); return t;"],
    ['return t;', "return ['abc', t].includes('one') ? s : t;"],
    ['return t;', "switch (s) { case 'abc': return s; } return t;"],
  ])('refuses %s → %s', (from, to) => {
    expect(refusal(WORDS, [from, to], WORDS_TESTS)).toContain('compares with');
  });

  it.each([
    ['return w + h;', 'if (w === 12) return w * h; return w + h;'],
    ['w + h', 'h > 24 ? w : w + h'],
    ['return w + h;', 'return w !== 12 && w + h;'],
  ])('refuses %s → %s', (from, to) => {
    expect(refusal(AREA, [from, to], AREA_TESTS)).toContain('compares with');
  });

  it.each([
    [
      'a comparison with a common value',
      AREA,
      ['return w + h;', 'if (w < 0) return 0; return w * h;'],
      AREA_TESTS,
    ],
    ['a limit off by one', 'const f = (n) => n > 12;\n', ['12', '11'], 'equal(f(12), true)'],
    [
      'a limit that the documentation names',
      '/** Adults are 18 or older. */\nconst f = (n) => n > 21;\n',
      ['n > 21', 'n >= 18'],
      'equal(f(18), true)',
    ],
    [
      'a kind',
      WORDS,
      ['return t;', "if (typeof s === 'string') return t; return s;"],
      "equal(typeof shout('x'), 'string')",
    ],
    ['a punctuation mark', "const f = (c) => c === '(';\n", ["'('", "'['"], "equal(f('['), true)"],
    ['another variable', AREA, ['return w + h;', 'if (w === h) return w * w; return w * h;'], AREA_TESTS],
  ] as const)('accepts %s', (_, source, change, tests) => {
    expect(refusal(source, change, tests)).toBeUndefined();
  });
});

describe('refusalOf: a constant result', () => {
  it.each([
    ['return w + h;', 'return 7;'],
    ['return w + h;', 'return 0;'],
    ['return w + h;', 'return true;'],
    ['return w + h;', "return 'x';"],
  ])('refuses %s → %s, whatever the tests name', (from, to) => {
    expect(refusal(AREA, [from, to], '')).toMatch(/constant/);
  });

  it('refuses a callback that has become constant', () => {
    const source = 'const f = (l) => l.filter((x) => x % 3 === 0);\n';
    expect(refusal(source, ['x % 3 === 0', 'true'], '')).toBe('returns the constant true');
  });

  it.each([
    [
      'a constant in one of several branches',
      'const f = (a) => {\n  if (a > 0) return a;\n  return a;\n};\n',
      ['  return a;\n}', '  return -1;\n}'],
    ],
    [
      'another constant in a function of constants',
      'const f = (a) => {\n  if (a) return true;\n  return true;\n};\n',
      ['  return true;\n}', '  return false;\n}'],
    ],
    ['a constant that stays one', 'const f = () => true;\n', ['true', 'false']],
  ] as const)('accepts %s', (_, source, change) => {
    expect(refusal(source, change, '')).toBeUndefined();
  });
});

describe('refusalOf: dead code', () => {
  const SUM =
    'function sum(l, n) {\n  let s = 0;\n  for (let i = 0; i < n; i++) {\n    if (l[i] > 3) s += l[i];\n  }\n  return s;\n}\n';

  it.each([
    ['code after a return', 'let s = 0;', 'let s = 0; return n;'],
    ['a condition that is always true', 'l[i] > 3', 'true'],
    ['a part of a condition that is always true', 'l[i] > 3', 'l[i] > 3 || true'],
    ['a comparison with itself', 'l[i] > 3', 'l[i] >= l[i]'],
    ['a bound that another one covers', 'l[i] > 3', 'l[i] > 3 && l[i] > 1'],
    ['bounds that exclude each other', 'l[i] > 3', 'l[i] > 3 && l[i] < 2'],
    ['bounds of which one always holds', 'l[i] > 3', 'l[i] > 1 || l[i] < 2'],
    ['a loop that never runs', 'let i = 0; i < n', 'let i = n; i < n'],
    ['two equal branches', 'if (l[i] > 3) s += l[i];', 'if (l[i] > 3) s += l[i]; else s += l[i];'],
    ['a parameter', 'i < n', 'i < l.length'],
    ['an assignment to itself', 's += l[i]', 's = s'],
    ['a condition without a body', 's += l[i];', '{}'],
    ['a condition after which the same follows', 'return s;', 'if (s > 9) return s; return s;'],
    ['a block that ends as what follows does', 'return s;', 'if (s > 9) { return s; } return s;'],
  ])('refuses %s', (_, from, to) => {
    expect(refusal(SUM, [from, to], '')).toContain('makes code dead');
  });

  it.each([
    ['an early return under a condition', 'let s = 0;', 'let s = 0; if (!l) return s;'],
    ['a range', 'l[i] > 3', 'l[i] > 1 && l[i] < 2'],
    ['values outside of a range', 'l[i] > 3', 'l[i] > 2 || l[i] < 1'],
    ['a test for NaN', 'l[i] > 3', 'l[i] !== l[i]'],
    ['a loop that starts elsewhere', 'let i = 0', 'let i = 1'],
    ['a condition with another end than what follows', 'return s;', 'if (s > 9) return l; return s;'],
    [
      'a condition with more than the end that follows',
      'return s;',
      'if (s > 9) { s -= 9; return s; } return s;',
    ],
  ])('accepts %s', (_, from, to) => {
    expect(refusal(SUM, [from, to], '')).toBeUndefined();
  });

  it('does not blame an edit for code that was dead before', () => {
    const source = 'function f(a, b) {\n  return a - 1;\n  b++;\n}\n';
    expect(refusal(source, ['a - 1', 'a + 1'], '')).toBeUndefined();
  });

  it('lets a callback ignore one of its parameters, but not all', () => {
    const source = 'const f = (l) => l.map((x, i) => x + i);\n';
    expect(refusal(source, ['x + i', 'x'], '')).toBeUndefined();
    expect(refusal(source, ['x + i', 'l'], '')).toContain('parameter x');
  });
});

describe('refusalOf: a variable without a value', () => {
  const COLOUR =
    'function grey(o) {\n  if (o.rgb) o = o.rgb();\n  var r = o.r, g = o.g;\n  return r === g;\n}\n';

  it('refuses a condition over variables that the function declares later', () => {
    expect(refusal(COLOUR, ['o.rgb)', 'o.rgb || r === g)'], '')).toBe('reads r before it has a value');
  });

  it.each([
    ['return r === g;', 'return r === g && r > 0;'],
    ['o.rgb)', 'o.rgb || o === grey)'],
    ['if (o.rgb) o = o.rgb();', 'r = 1; if (r) o = o.rgb();'],
    ['if (o.rgb) o = o.rgb();', 'if ([1].some(() => g)) o = o.rgb();'],
  ])('permits %s → %s', (from, to) => {
    expect(refusal(COLOUR, [from, to], '') ?? '').not.toContain('before it has a value');
  });

  it('permits a variable that an earlier round of the loop has set', () => {
    const source =
      'function last(a) {\n  for (const x of a) {\n    if (x) a = x;\n    var y = x;\n  }\n  return a;\n}\n';
    expect(refusal(source, ['if (x)', 'if (x > y)'], '') ?? '').not.toContain('before it has a value');
  });
});
