/** A function of which tests hold, or miss, one thing that they could notice. */
export interface PlantedCase {
  readonly name: string;
  readonly params: readonly string[];
  /** Lines of the function's body in JavaScript; the first is line 2 of the file. */
  readonly body: readonly string[];
  /** Assertions on `f` that notice the planted change, and that do not. */
  readonly held: string;
  readonly missed: string;
  /** The line of the miss, and the text of the planted change; without one, no test of `missed` runs the line. */
  readonly line: number;
  readonly planted?: RegExp;
}

export const CASES: readonly PlantedCase[] = [
  {
    name: 'boundary',
    params: ['a'],
    body: ['return a >= 18;'],
    held: 'assert.equal(f(18), true); assert.equal(f(17), false);',
    missed: 'assert.equal(f(30), true); assert.equal(f(10), false);',
    line: 2,
    planted: /^a > 18$/,
  },
  {
    name: 'logical operator',
    params: ['a', 'b'],
    body: ['return a && b;'],
    held: 'assert.equal(f(true, true), true); assert.equal(f(true, false), false); assert.equal(f(false, true), false);',
    missed: 'assert.equal(f(true, true), true); assert.equal(f(false, false), false);',
    line: 2,
    planted: /\|\|/,
  },
  {
    name: 'index',
    params: ['a'],
    body: ['const last = a.length - 1;', 'return a[last];'],
    held: 'assert.equal(f([1, 2, 3]), 3);',
    missed: 'assert.ok(f([1]) !== null);',
    line: 2,
    planted: /\+/,
  },
  {
    name: 'dropped call',
    params: ['a'],
    body: ['return a.trim().toLowerCase();'],
    held: "assert.equal(f(' A '), 'a');",
    missed: "assert.equal(f('A'), 'a');",
    line: 2,
    planted: /^(?!.*trim\(\)).*$/,
  },
  {
    name: 'condition of an early return',
    params: ['a'],
    body: ["if (a === '') return 'none';", 'return a;'],
    held: "assert.equal(f(''), 'none'); assert.equal(f('x'), 'x');",
    missed: "assert.equal(f('x'), 'x');",
    line: 2,
    planted: /none|false/,
  },
  {
    name: 'branch',
    params: ['a'],
    body: ['if (a < 0) {', "  return 'negative';", '}', "return 'positive';"],
    held: "assert.equal(f(-1), 'negative'); assert.equal(f(0), 'positive');",
    missed: "assert.equal(f(1), 'positive');",
    line: 3,
  },
  {
    name: 'filter',
    params: ['a'],
    body: ['return a.filter((x) => x > 0).length;'],
    held: 'assert.equal(f([0, 1]), 1);',
    missed: 'assert.equal(f([5]), 1);',
    line: 2,
    planted: /x >= 0/,
  },
  {
    name: 'assignment in a loop',
    params: ['a'],
    body: ['let sum = 1;', 'for (const x of a) sum *= x;', 'return sum;'],
    held: 'assert.equal(f([2, 3]), 6);',
    missed: 'assert.equal(f([1]), 1);',
    line: 3,
    planted: /\/=/,
  },
  {
    name: 'property',
    params: ['a', 'b'],
    body: ['return { name: a, size: b };'],
    held: "assert.deepEqual(f('x', 1), { name: 'x', size: 1 });",
    missed: "assert.equal(f('x', 1).name, 'x');",
    line: 2,
    planted: /^\(removed\)$/,
  },
  {
    name: 'default for nothing',
    params: ['a'],
    body: ['return a ?? 5;'],
    held: 'assert.equal(f(undefined), 5); assert.equal(f(0), 0);',
    missed: 'assert.equal(f(1), 1);',
    line: 2,
    planted: /^(?:a|6|4|a \?\? [46])$/,
  },
  {
    name: 'no assertion on the result',
    params: ['a'],
    body: ['return !a;'],
    held: 'assert.equal(f(true), false); assert.equal(f(false), true);',
    missed: 'f(true);',
    line: 2,
    planted: /^(?:a|return undefined;?)$/,
  },
  {
    name: 'anchor of a pattern',
    params: ['a'],
    body: [String.raw`return /^\d+$/.test(a);`],
    held: "for (const [text, is] of [['12', true], ['x1', false], ['1x', false]]) assert.equal(f(text), is);",
    missed: "assert.equal(f('12'), true); assert.equal(f('x'), false);",
    line: 2,
    planted: /^(?!\/\^\\d\+\$\/)\/.*\/$|\/\\d|d\+\//,
  },
  {
    name: 'handler of an error',
    params: ['a'],
    body: ['try {', '  return JSON.parse(a);', '} catch {', '  return null;', '}'],
    held: "assert.equal(f('1'), 1); assert.equal(f('{'), null);",
    missed: "assert.equal(f('1'), 1);",
    line: 5,
  },
  {
    name: 'order',
    params: ['a'],
    body: ['const seen = new Set(a);', 'return [...seen].sort();'],
    held: 'assert.deepEqual(f([2, 1, 1]), [1, 2]);',
    missed: 'assert.deepEqual(f([1]), [1]);',
    line: 3,
    planted: /^(?!.*sort)\[\.\.\.seen\]$/,
  },
  {
    name: 'constant',
    params: ['a'],
    body: ['const limit = 10;', 'return a > limit ? limit : a;'],
    held: 'assert.equal(f(9), 9); assert.equal(f(10), 10); assert.equal(f(11), 10);',
    missed: 'assert.equal(f(5), 5);',
    line: 2,
    planted: /11|9/,
  },
];
