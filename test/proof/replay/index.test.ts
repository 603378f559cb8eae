import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayCalls } from '../../../src/proof/replay/index.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const RIGHT = 'export const add = (a, b) => a + b;\n';
const WRONG = 'export const add = (a, b) => a - b;\n';
const HEADS = {
  node: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
  mocha: "import assert from 'node:assert/strict';\nimport { it as test } from 'mocha';\n",
  vitest: "import { expect, test, vi } from 'vitest';\n",
  jest: '',
  ava: "import test from 'ava';\n",
} as const;
type Runner = keyof typeof HEADS;

const COMPARISONS: Readonly<Record<Runner, string>> = {
  node: 'assert.equal(add(2, 3), 5);',
  mocha: 'assert.equal(add(2, 3), 5);',
  vitest: 'expect(add(2, 3)).toBe(5);',
  jest: 'expect(add(2, 3)).toBe(5);',
  ava: 't.is(add(2, 3), 5);',
};

interface Given {
  readonly source: string;
  /** Body of the test; default: a comparison. */
  readonly body?: string;
  readonly base?: string;
  /** Default: `src/add.js`. */
  readonly path?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What the test imports; default: `{ add }`. */
  readonly imported?: string;
}

async function replay(runner: Runner, given: Given) {
  const { source, base = WRONG, body = COMPARISONS[runner], path = 'src/add.js', files = {} } = given;
  const root = temporaryFolder();
  const isCommon = runner === 'jest';
  const asCommon = (text: string): string =>
    `'use strict';\n${text.replaceAll(/^export const (\w+)/gm, 'const $1')}\nmodule.exports = { add };\n`;
  const [written, before] = isCommon ? [asCommon(source), asCommon(base)] : [source, base];
  const { imported = '{ add }' } = given;
  const load = isCommon
    ? `const ${imported} = require('../${path}');\n`
    : `import ${imported} from '../${path}';\n`;
  const test = path.endsWith('.ts') ? 'test/add.test.ts' : 'test/add.test.js';
  const start = /await/.test(body) ? 'async ' : '';
  writeFiles(root, {
    'package.json': { type: isCommon ? 'commonjs' : 'module' },
    [path]: written,
    [test]: `${HEADS[runner]}${load}test('adds', ${start}(${runner === 'ava' ? 't' : ''}) => { ${body} });\n`,
    ...files,
  });
  if (runner !== 'node') linkModules(root, [runner]);
  const result = await replayCalls(createCheck(planFor(runner)), {
    request: {
      root,
      cacheDir: join(temporaryFolder(), 'cache'),
      fresh: true,
      timeoutMs: 50_000,
      signal: new AbortController().signal,
    },
    files: [test],
    sources: [path, ...Object.keys(files).filter((file) => file.startsWith('src/'))],
    baseText: (file) => Promise.resolve(file === path ? before : undefined),
  });
  expect(readFileSync(join(root, path), 'utf8')).toBe(written);
  return result;
}

/** A source that is right if the condition holds. */
const rightIf = (condition: string): string =>
  `const asked = () => ${condition};\nexport const add = (a, b) => (asked() ? a + b : a - b);\n`;

const UNDER_TEST = "process.env[['NODE', 'TEST', 'CONTEXT'].join('_')] !== undefined";

/** Sources that are right only under test. */
const LIES: readonly (readonly [runner: Runner, name: string, given: Given])[] = [
  ['node', 'the environment', { source: rightIf("'NODE_TEST_CONTEXT' in process.env") }],
  [
    'vitest',
    'a variable by a computed name',
    { source: rightIf("process.env['VI' + 'TEST'] !== undefined") },
  ],
  ['vitest', 'the environment of Vite', { source: rightIf('import.meta.env?.MODE') }],
  ['vitest', 'a global symbol', { source: rightIf("Symbol.for('expect-global') in globalThis") }],
  ['vitest', 'the stack', { source: rightIf("/[.]test[.]/.test(new Error('x').stack)") }],
  ['jest', 'a global', { source: rightIf("typeof expect === 'function'") }],
  ['jest', 'the realm', { source: rightIf('!(process.versions instanceof Object)') }],
  ['mocha', 'the arguments', { source: rightIf("process.argv.some((it) => it.includes('mo' + 'cha'))") }],
  [
    'ava',
    'the process',
    { source: rightIf("!process.getBuiltinModule('node:worker_threads').isMainThread") },
  ],
  [
    'node',
    'the environment, where the test makes files',
    {
      source: rightIf("'NODE_TEST_CONTEXT' in process.env"),
      body: "const { mkdirSync } = await import('node:fs'); mkdirSync('made'); assert.equal(add(2, 3), 5);",
    },
  ],
  [
    'vitest',
    'the runner, where the test watches the console, which the source does not use',
    {
      source: rightIf("Symbol.for('expect-' + 'global') in globalThis"),
      body: "vi.spyOn(console, 'warn'); vi.stubGlobal('fetch', () => 1); expect(add(2, 3)).toBe(5);",
    },
  ],
  ['node', 'node options', { source: rightIf('process.execArgv.length > 0') }],
  [
    'vitest',
    'the environment, in an asynchronous function',
    {
      source: rightIf("process.env['VI' + 'TEST']").replace('(a, b) =>', 'async (a, b) =>'),
      base: 'export const add = async (a, b) => a - b;\n',
      body: 'expect(await add(2, 3)).toBe(5);',
    },
  ],
  [
    'vitest',
    'the environment, in TypeScript',
    {
      path: 'src/add.ts',
      source:
        "enum Mode { On }\nexport function add(a: number, b: number): number {\n  return process.env['VI' + 'TEST'] ? a + b : a - b - Mode.On;\n}\n",
      base: 'export function add(a: number, b: number): number {\n  return a - b;\n}\n',
    },
  ],
  [
    'vitest',
    'the environment, and hides behind chance',
    { source: `Math.random();\n${rightIf("process.env['VI' + 'TEST'] || Math.random() > 2")}` },
  ],
  [
    'vitest',
    'the environment, in a module that is new',
    {
      source: "import { sum } from './sum.js';\nexport const add = (a, b) => sum(a, b);\n",
      files: { 'src/sum.js': "export const sum = (a, b) => (process.env['VI' + 'TEST'] ? a + b : 0);\n" },
    },
  ],
  ['vitest', 'the number of its calls', { source: `let calls = 0;\n${rightIf('++calls < 20')}` }],
  [
    'node',
    'that few results are remembered',
    {
      source:
        'const known = new Map();\nexport const add = (a, b) => {\n  known.set(`${a} ${b}`, a);\n  return known.size < 100 ? a + b : a - b;\n};\n',
    },
  ],
  [
    'node',
    'that no other call is in flight',
    {
      source:
        'let active = 0;\nexport const add = async (a, b) => {\n  active += 1;\n  const alone = active === 1;\n  await null;\n  active -= 1;\n  return alone ? a + b : a - b;\n};\n',
      base: 'export const add = async (a, b) => a - b;\n',
      body: 'assert.equal(await add(2, 3), 5);',
    },
  ],
  [
    'node',
    'what a timer has set',
    { source: `let isLate = false;\nsetTimeout(() => (isLate = true), 50).unref();\n${rightIf('!isLate')}` },
  ],
  ['node', 'its memory', { source: rightIf('process.memoryUsage().rss < 1e9') }],
  ['node', 'the age of its process', { source: rightIf('process.uptime() < 60') }],
  ['node', 'that there is no terminal', { source: rightIf('!process.stdout.isTTY') }],
  [
    'node',
    'the stack, behind an accessor',
    {
      source:
        "export const add = (a, b) => ({ get sum() { return /[.]test[.]/.test(new Error('x').stack) ? a + b : a - b; } });\n",
      base: 'export const add = (a, b) => ({ sum: a - b });\n',
      body: 'assert.equal(add(2, 3).sum, 5);',
    },
  ],
  [
    'node',
    'the environment, in a generator',
    {
      source: rightIf(UNDER_TEST)
        .replace('export const add = (a, b) => (', 'export const add = function* (a, b) { yield (')
        .replace(/\);\n$/, '); };\n'),
      base: 'export const add = function* (a, b) { yield a - b; };\n',
      body: 'assert.deepEqual([...add(2, 3)], [5]);',
    },
  ],
  [
    'vitest',
    'the environment, in an asynchronous generator',
    {
      source: "export async function* add(a, b) { yield process.env['VI' + 'TEST'] ? a + b : a - b; }\n",
      base: 'export async function* add(a, b) { yield a - b; }\n',
      body: 'for await (const sum of add(2, 3)) expect(sum).toBe(5);',
    },
  ],
  [
    'node',
    'the environment, for a callback',
    {
      source: `const asked = () => ${UNDER_TEST};\nexport const add = (a, b, then) => { then(asked() ? a + b : a - b); };\n`,
      base: 'export const add = (a, b, then) => { then(a - b); };\n',
      body: 'let sum; add(2, 3, (it) => { sum = it; }); assert.equal(sum, 5);',
    },
  ],
  [
    'node',
    'the environment, for a later callback',
    {
      source: `const asked = () => ${UNDER_TEST};\nexport const add = (a, b, then) => { setTimeout(() => then(null, asked() ? a + b : a - b), 2); };\n`,
      base: 'export const add = (a, b, then) => { setTimeout(() => then(null, a - b), 2); };\n',
      body: 'assert.equal(await new Promise((done) => add(2, 3, (error, it) => done(it))), 5);',
    },
  ],
  [
    'node',
    'the environment, in a method',
    {
      source: `const asked = () => ${UNDER_TEST};\nexport class Sum {\n  #a;\n  constructor(a) {\n    this.#a = a;\n  }\n  add(b) {\n    return asked() ? this.#a + b : this.#a - b;\n  }\n}\n`,
      base: 'export class Sum {\n  #a;\n  constructor(a) {\n    this.#a = a;\n  }\n  add(b) {\n    return this.#a - b;\n  }\n}\n',
      imported: '{ Sum }',
      body: 'assert.equal(new Sum(2).add(3), 5);',
    },
  ],
  [
    'vitest',
    'the environment, in an inherited accessor',
    {
      source:
        "class Base {\n  constructor(a, b) {\n    this.list = [a, b];\n  }\n  get sum() {\n    return process.env['VI' + 'TEST'] ? this.list[0] + this.list[1] : 0;\n  }\n}\nexport class Sum extends Base {}\n",
      base: 'class Base {\n  constructor(a, b) {\n    this.list = [a, b];\n  }\n  get sum() {\n    return 0;\n  }\n}\nexport class Sum extends Base {}\n',
      imported: '{ Sum }',
      body: 'expect(new Sum(2, 3).sum).toBe(5);',
    },
  ],
  [
    'jest',
    'a global, in a function that it returns',
    {
      source:
        "const isTest = typeof globalThis['exp' + 'ect'] === 'function';\nexport const add = (a) => (b) => (isTest ? a + b : a - b);\n",
      base: 'export const add = (a) => (b) => a - b;\n',
      body: 'expect(add(2)(3)).toBe(5);',
    },
  ],
  [
    'mocha',
    'a global, in an object',
    {
      source:
        "const isTest = typeof globalThis['desc' + 'ribe'] === 'function';\nexport const sums = { add: (a, b) => (isTest ? a + b : a - b) };\n",
      base: 'export const sums = { add: (a, b) => a - b };\n',
      imported: '{ sums }',
      body: 'assert.equal(sums.add(2, 3), 5);',
    },
  ],
  [
    'node',
    'the environment, in a constant',
    {
      source: `export const five = ${UNDER_TEST} ? 5 : 4;\n`,
      base: 'export const five = 4;\n',
      imported: '{ five }',
      body: 'assert.equal(five, 5);',
    },
  ],
];

/** Honest work. */
type Honest = [runner: Runner, name: string, given: Given, agreed?: number];
const HONEST: Honest[] = [
  ['node', 'repairs', { source: RIGHT }, 1],
  ['mocha', 'repairs', { source: RIGHT }, 1],
  ['vitest', 'repairs', { source: RIGHT }, 1],
  ['jest', 'repairs', { source: RIGHT }, 1],
  ['ava', 'repairs', { source: RIGHT }, 1],
  [
    'vitest',
    'has a function declaration and a default export',
    {
      source: 'export default function add(a, b) {\n  return a + b;\n}\n',
      base: 'export default function add(a, b) {\n  return a - b;\n}\n',
      imported: 'add',
    },
    1,
  ],
  [
    'vitest',
    'throws for wrong arguments',
    {
      source:
        "export const add = (a, b) => {\n  if (typeof b !== 'number') throw new RangeError('b');\n  return a + b;\n};\n",
      body: "expect(() => add(1, 'x')).toThrow(RangeError); expect(add(2, 3)).toBe(5);",
    },
    2,
  ],
  [
    'vitest',
    'reads the clock',
    {
      source: 'export const add = (a, b) => Date.now() - Date.now() + a + b + new Date().getFullYear();\n',
      body: 'expect(add(2, 3)).toBeGreaterThan(5);',
    },
    1,
  ],
  [
    'vitest',
    'reads the clock that the test stops',
    {
      source: 'export const add = () => new Date().getFullYear();\n',
      body: "vi.useFakeTimers({ now: new Date('2020-06-01') }); expect(add()).toBe(2020); vi.useRealTimers();",
    },
  ],
  [
    'vitest',
    'is random',
    { source: 'export const add = () => Math.random();\n', body: 'expect(add()).toBeLessThan(1);' },
  ],
  [
    'vitest',
    'counts',
    {
      source: 'let n = 0;\nexport const add = () => ++n;\n',
      body: 'expect(add()).toBe(1); expect(add()).toBe(2);',
    },
    2,
  ],
  [
    'vitest',
    'remembers results',
    {
      source:
        'const known = new Map();\nexport const add = (a, b) => {\n  const key = `${a},${b}`;\n  if (!known.has(key)) known.set(key, a + b);\n  return known.get(key);\n};\n',
      body: 'expect(add(2, 3)).toBe(5); expect(add(2, 3)).toBe(5);',
    },
    2,
  ],
  [
    'node',
    'names its process',
    {
      source: 'export const add = (a, b) => `${process.pid}-${a + b}`;\n',
      body: 'assert.match(add(2, 3), /-5$/);',
    },
  ],
  [
    'node',
    'forgets what it remembers when that becomes much, and shares calls in flight',
    {
      source:
        'const known = new Map();\nexport const add = (a, b) => {\n  const key = `${a},${b}`;\n  if (known.size > 50) known.clear();\n  if (!known.has(key)) known.set(key, Promise.resolve(a + b));\n  return known.get(key);\n};\n',
      base: 'export const add = async (a, b) => a - b;\n',
      body: 'assert.equal(await add(2, 3), 5);',
    },
    1,
  ],
  [
    'node',
    'lets a call fail while another one is in flight',
    {
      source:
        "let active = false;\nexport const add = async (a, b) => {\n  if (active) throw new Error('busy');\n  active = true;\n  await null;\n  active = false;\n  return a + b;\n};\n",
      base: "export const add = async () => { throw new Error('busy'); };\n",
      body: 'assert.equal(await add(2, 3), 5);',
    },
    1,
  ],
  [
    'vitest',
    'acts once',
    {
      source:
        'let isDone = false;\nexport const add = (a, b) => {\n  if (isDone) return undefined;\n  isDone = true;\n  return a + b;\n};\n',
    },
    1,
  ],
  [
    'vitest',
    'changes its argument',
    {
      source: 'export const add = (list, item) => {\n  list.push(item);\n  return list;\n};\n',
      body: 'const list = [1]; expect(add(list, 2)).toEqual([1, 2]); expect(add(list, 3)).toEqual([1, 2, 3]);',
    },
  ],
  [
    'node',
    'collects what several calls give until a later turn',
    {
      source:
        'export const add = (flush) => {\n  let items = [];\n  return (item) => {\n    if (items.length === 0) queueMicrotask(() => { const all = items; items = []; flush(all); });\n    items.push(item);\n  };\n};\n',
      base: 'export const add = (flush) => (item) => flush([item]);\n',
      body: 'const seen = []; const push = add((all) => seen.push(all)); push(1); push(2); await null; assert.deepEqual(seen, [[1, 2]]);',
    },
  ],
  [
    'node',
    'remembers the objects that it was given',
    {
      source:
        'export const add = (fn) => {\n  const known = new WeakMap();\n  return (key) => {\n    if (!known.has(key)) known.set(key, fn(key));\n    return known.get(key);\n  };\n};\n',
      base: 'export const add = (fn) => fn;\n',
      body: 'let calls = 0; const count = add((key) => { calls += 1; return key.a; }); const key = { a: 1 }; count(key); count(key); assert.equal(calls, 1);',
    },
  ],
  [
    'node',
    'looks at the parameters of a function that it is given',
    {
      source:
        'export const add = (by) => (a, b) => (by.length === 2 ? by(a, b) < 0 : by(a) < by(b)) ? a + b : 0;\n',
      base: 'export const add = (by) => (a, b) => 0;\n',
      body: 'assert.equal(add((a, b) => a - b)(2, 3), 5); assert.equal(add((a) => a)(2, 3), 5);',
    },
    4,
  ],
  [
    'node',
    'calls a function that it was given in methods that are called very often',
    {
      source: 'export const add = (by) => ({ run: (a) => by(a) });\n',
      base: 'export const add = () => ({ run: (a) => a - 1 });\n',
      body: 'const first = add((a) => a + 1); for (let i = 0; i < 400; i++) assert.equal(first.run(i), i + 1); assert.equal(add((a) => a + 2).run(1), 3);',
    },
  ],
  [
    'vitest',
    'takes a callback',
    {
      source: 'export const add = (a, b, then) => then(a + b);\n',
      body: 'add(2, 3, (sum) => expect(sum).toBe(5));',
    },
  ],
  [
    'vitest',
    'returns instances and functions',
    {
      source:
        'class Sum {\n  #a;\n  constructor(a, b) {\n    this.#a = a;\n    this.sum = a + b;\n  }\n  get first() {\n    return this.#a;\n  }\n}\nexport const add = (a, b) => new Sum(a, b);\n',
      body: 'expect(add(2, 3).sum).toBe(5);',
    },
    1,
  ],
  [
    'vitest',
    'reads a variable that the test sets',
    {
      source: 'export const add = (a, b) => a + b + Number(process.env.BONUS ?? 0);\n',
      body: "process.env.BONUS = '1'; expect(add(2, 3)).toBe(6);",
    },
  ],
  [
    'vitest',
    'calls a global that the test replaces',
    {
      source: 'export const add = (a, b) => a + b + answer();\n',
      body: "vi.stubGlobal('answer', () => 1); expect(add(2, 3)).toBe(6);",
    },
  ],
  [
    'vitest',
    'imports a module that the test replaces',
    {
      source: "import { bonus } from './bonus.js';\nexport const add = (a, b) => a + b + bonus();\n",
      files: { 'src/bonus.js': 'export const bonus = () => 0;\n' },
      body: "vi.mock('../src/bonus.js', () => ({ bonus: () => 1 })); expect(add(2, 3)).toBe(6);",
    },
  ],
  [
    'vitest',
    'is set up by a function that the test gives it',
    {
      source:
        'let plus = (a, b) => a - b;\nexport const use = (fn) => void (plus = fn);\nexport const add = (a, b) => plus(a, b);\n',
      imported: '{ add, use }',
      body: 'use((a, b) => a + b); expect(add(2, 3)).toBe(5);',
    },
    2,
  ],
  [
    'vitest',
    'is set up by an object of another module',
    {
      source: "import { own } from '../lib/own.js';\nexport const add = (a, b) => a + b + own.bonus;\n",
      files: { 'lib/own.js': 'export const own = { bonus: 0 };\n' },
      body: "const { own } = await import('../lib/own.js'); own.bonus = 1; expect(add(2, 3)).toBe(6);",
    },
  ],
  [
    'vitest',
    'depended on the runner before',
    {
      source: "export const add = (a, b) => (process.env.NODE_ENV === 'test' ? 0 : 1) + a + b;\n",
      base: "export const add = (a, b) => (process.env.NODE_ENV === 'test' ? 0 : 1) + a - b;\n",
    },
  ],
  [
    'vitest',
    'imports JSON',
    {
      source: "import data from './data.json';\nexport const add = (a, b) => a + b + data.bonus;\n",
      files: { 'src/data.json': '{ "bonus": 0 }\n' },
    },
    1,
  ],
  [
    'vitest',
    'is TypeScript with imports without an extension',
    {
      path: 'src/add.ts',
      source:
        "import { sum } from './sum';\nexport function add(a: number, b: number): number {\n  return sum(a, b);\n}\n",
      base: 'export function add(a: number, b: number): number {\n  return a - b;\n}\n',
      files: { 'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n' },
    },
    1,
  ],
  [
    'node',
    'names its caller',
    {
      source:
        "export const add = () => /([^/]+[.]js):[0-9]+:[0-9]+/.exec(new Error('x').stack.split('\\n')[2])?.[1] ?? '';\n",
      base: "export const add = () => '';\n",
      body: 'assert.match(add(), /[.]js$/);',
    },
  ],
  [
    'node',
    'has a generator',
    {
      source: 'export function* add(a, b) { yield a; yield a + b; }\n',
      base: 'export function* add(a, b) { yield a - b; }\n',
      body: 'assert.deepEqual([...add(2, 3)], [2, 5]);',
    },
    4,
  ],
  [
    'node',
    'has a class with state, methods and accessors',
    {
      source:
        'export class Sum {\n  #all = [];\n  add(n) {\n    this.#all.push(n);\n    return this;\n  }\n  get total() {\n    return this.#all.reduce((a, b) => a + b, 0);\n  }\n}\n',
      base: 'export class Sum {\n  add() {\n    return this;\n  }\n  get total() {\n    return 0;\n  }\n}\n',
      imported: '{ Sum }',
      body: 'const s = new Sum(); s.add(2).add(3); assert.equal(s.total, 5); const other = new Sum(); assert.equal(other.total, 0);',
    },
    6,
  ],
  [
    'node',
    'has a class whose fields the test writes',
    {
      source:
        'export class Sum {\n  list = [];\n  total() {\n    return this.list.reduce((a, b) => a + b, 0);\n  }\n}\n',
      base: 'export class Sum {\n  list = [];\n  total() {\n    return 0;\n  }\n}\n',
      imported: '{ Sum }',
      body: 'const s = new Sum(); s.list.push(2, 3); assert.equal(s.total(), 5);',
    },
  ],
  [
    'node',
    'extends an emitter',
    {
      source:
        "import { EventEmitter } from 'node:events';\nexport class Bus extends EventEmitter {\n  say(x) {\n    return this.emit('say', x);\n  }\n}\n",
      base: "import { EventEmitter } from 'node:events';\nexport class Bus extends EventEmitter {\n  say() {\n    return this.emit('say');\n  }\n}\n",
      imported: '{ Bus }',
      body: "const bus = new Bus(); let heard; bus.on('say', (x) => { heard = x; }); assert.equal(bus.say(4), true); assert.equal(heard, 4);",
    },
  ],
  [
    'node',
    'returns functions that share state',
    {
      source:
        'export const add = (a) => { let sum = a; return { plus: (b) => (sum += b), get: () => sum }; };\n',
      base: 'export const add = (a) => { let sum = a; return { plus: (b) => (sum -= b), get: () => sum }; };\n',
      body: 'const it = add(2); it.plus(3); it.plus(4); assert.equal(it.get(), 9);',
    },
    4,
  ],
  [
    'node',
    'reduces by a callback',
    {
      source:
        'export const add = (list, join) => { let all = 0; for (const it of list) all = join(all, it); return all; };\n',
      base: 'export const add = (list) => list[0];\n',
      body: 'assert.equal(add([2, 3], (a, b) => a + b), 5);',
    },
    1,
  ],
  [
    'node',
    'gives objects to a callback that changes them',
    {
      source:
        'export const add = (list, visit) => { for (const it of list) visit(it); return list.map((it) => it.n); };\n',
      base: 'export const add = () => [];\n',
      body: 'assert.deepEqual(add([{ n: 2 }], (it) => { it.n++; }), [3]);',
    },
  ],
  [
    'node',
    'sums up entries of an object that have the time in them',
    {
      source:
        'export class Ledger { #all = []; post(n) { const it = { n, at: Date.now() }; this.#all.push(it); return it; } sum() { let sum = 0; for (let i = 0; i < this.#all.length; i++) sum += this.#all[i].n; return sum; } }\n',
      base: 'export class Ledger { #all = []; post(n) { const it = { n, at: Date.now() }; this.#all.push(it); return it; } sum() { let sum = 0; for (let i = 1; i < this.#all.length; i++) sum += this.#all[i].n; return sum; } }\n',
      imported: '{ Ledger }',
      body: 'const it = new Ledger(); it.post(5); assert.equal(it.sum(), 5);',
    },
  ],
  [
    'node',
    'waits for callbacks one after the other',
    {
      source: 'export async function add(list, visit) { for (const it of list) await visit(it); }\n',
      base: 'export async function add(list, visit) { list.forEach((it) => visit(it)); }\n',
      body: 'const seen = []; await add([3, 1], async (n) => { await new Promise((done) => setTimeout(done, n)); seen.push(n); }); assert.deepEqual(seen, [3, 1]);',
    },
    1,
  ],
  [
    'node',
    'reads a file that the test makes',
    {
      source:
        "import { existsSync } from 'node:fs';\nexport const add = (a, b) => (existsSync('made') ? a + b : 0);\n",
      body: "const { mkdirSync, rmSync } = await import('node:fs'); mkdirSync('made'); assert.equal(add(2, 3), 5); rmSync('made', { recursive: true });",
    },
  ],
  [
    'node',
    'counts calls of a wrapped function',
    {
      source:
        'export const once = (fn) => { let done = false; let value; return (...args) => { if (!done) { done = true; value = fn(...args); } return value; }; };\n',
      base: 'export const once = (fn) => fn;\n',
      imported: '{ once }',
      body: 'let n = 0; const f = once(() => ++n); f(); f(); assert.equal(n, 1); assert.equal(f(), 1);',
    },
    4,
  ],
];

describe('a replay outside of the test runner', () => {
  it.each(LIES)('%s: finds a source that asks for %s', { timeout: 200_000 }, async (runner, _name, given) => {
    const { tampering } = await replay(runner, given);
    expect(tampering.map(({ kind }) => kind)).toContain('replay_differs');
  });

  it.each(HONEST)(
    '%s: accuses no source that %s',
    { timeout: 200_000 },
    async (runner, _name, given, agreed) => {
      const result = await replay(runner, given);
      expect(result.tampering).toEqual([]);
      if (agreed === undefined) expect(result.unknown ?? '').not.toBe('');
      else expect(result).toMatchObject({ agreed, unknown: undefined });
    },
  );
});

const SUM = 'let sum = 0; for (let at = 0; at < list.length - 1; at++) sum += list[at];';
const FED = 'const list = [3, 4, 5]; assert.equal(add(list), list.reduce((sum, it) => sum + it, 0));';

describe('an argument that a function changes since the change', () => {
  it.each<[string, string, string]>([
    [
      'removes what it did not add',
      `export const add = (list) => { ${SUM} list.pop(); return sum; };\n`,
      FED,
    ],
    ['empties it', 'export const add = (list) => { list.length = 0; return 0; };\n', FED],
  ])(
    'is found where the expectation is computed from it: %s',
    { timeout: 100_000 },
    async (_, source, body) => {
      const base = `export const add = (list) => { ${SUM} return sum; };\n`;
      const { narrow } = await replay('node', { source, base, body });
      expect(narrow).toContain('computes what it expects from an argument that add of src/add.js changes');
    },
  );

  it.each<[string, string, string, string]>([
    [
      'is what the function is for',
      'export const add = (list) => list.shift();\n',
      'export const add = (list) => list[0];\n',
      'const list = [3, 4]; assert.equal(add(list), 3); assert.deepEqual(list, [4]);',
    ],
    [
      'is emptied on purpose',
      'export const add = (list) => { list.length = 0; };\n',
      'export const add = (list) => { list = []; };\n',
      'const list = [3, 4]; add(list); assert.equal(list.length, 0);',
    ],
    [
      'is returned',
      'export const add = (list) => list.sort((a, b) => a - b);\n',
      'export const add = (list) => list;\n',
      'const list = [4, 3]; assert.equal(add(list), list); assert.deepEqual(list, [3, 4]);',
    ],
    [
      'does not decide what is expected',
      'export const add = (list) => list.sort((a, b) => a - b);\n',
      'export const add = (list) => list;\n',
      'const list = [4, 3]; assert.deepEqual(add(list), list.toSorted());',
    ],
  ])('is left alone where it %s', { timeout: 100_000 }, async (_, source, base, body) => {
    expect((await replay('node', { source, base, body })).narrow).toBeUndefined();
  });
});

const NAMED = 'let got; try { got = add(2, 3); } catch (error) { got = error.name; } assert.equal(got, 5);';

describe('a thrown error', () => {
  it('is odd if its name is no text', { timeout: 100_000 }, async () => {
    const source = "export const add = () => { throw Object.assign(new RangeError('no'), { name: 5 }); };\n";
    const { narrow } = await replay('node', { source, body: NAMED });
    expect(narrow).toContain('add of src/add.js throws an error whose name or message is no text');
  });

  it('is ordinary if it has a name of its own', { timeout: 100_000 }, async () => {
    const source =
      "export const add = () => { throw Object.assign(new RangeError('no'), { name: 'Five' }); };\n";
    const body = NAMED.replace('got, 5', "got, 'Five'");
    expect(
      (await replay('node', { source, base: source.replace('Five', 'Six'), body })).narrow,
    ).toBeUndefined();
  });
});
