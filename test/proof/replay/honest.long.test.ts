import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayCalls } from '../../../src/proof/replay/index.ts';
import { findReplacedBuiltIns } from '../../../src/proof/watched/built-ins.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

interface Patch {
  readonly name: string;
  readonly src: Readonly<Record<string, string>>;
  readonly test: string;
  readonly path?: string;
  /** What the test imports. */
  readonly imported: string;
}

/** Honest sources of many kinds. */
const PATCHES: readonly Patch[] = [
  {
    name: 'bug in class',
    imported: '{ Stack }',
    src: {
      'src/a.js':
        'export class Stack { #l = []; push(x) { this.#l.push(x); return this; } pop() { return this.#l.pop(); } get size() { return this.#l.length; } }',
    },
    test: 'const s = new Stack(); s.push(1).push(2); expect(s.pop()).toBe(2); expect(s.size).toBe(1);',
  },
  {
    name: 'async',
    imported: '{ load }',
    src: { 'src/a.js': 'export async function load(x) { await null; return { x, ok: true }; }' },
    test: 'expect(await load(1)).toEqual({ x: 1, ok: true });',
  },
  {
    name: 'async rejects',
    imported: '{ load }',
    src: {
      'src/a.js':
        'export async function load(x) { await null; if (!x) throw new RangeError("x"); return x; }',
    },
    test: 'await expect(load(0)).rejects.toThrow(RangeError); expect(await load(2)).toBe(2);',
  },
  {
    name: 'date format',
    imported: '{ day }',
    src: { 'src/a.js': 'export const day = (d) => d.toISOString().slice(0, 10);' },
    test: 'expect(day(new Date(0))).toBe("1970-01-01");',
  },
  {
    name: 'date now fake',
    imported: '{ age }',
    src: { 'src/a.js': 'export const age = (y) => new Date().getFullYear() - y;' },
    test: 'vi.useFakeTimers({ now: new Date("2020-02-02") }); expect(age(2000)).toBe(20); vi.useRealTimers();',
  },
  {
    name: 'date now spy',
    imported: '{ stamp }',
    src: { 'src/a.js': 'export const stamp = () => ({ at: Date.now() });' },
    test: 'vi.spyOn(Date, "now").mockReturnValue(5); expect(stamp()).toEqual({ at: 5 });',
  },
  {
    name: 'debounce',
    imported: '{ debounce }',
    src: {
      'src/a.js':
        'export const debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => f(...a), ms); }; };',
    },
    test: 'vi.useFakeTimers(); let n = 0; const d = debounce(() => n++, 10); d(); d(); vi.advanceTimersByTime(20); expect(n).toBe(1); vi.useRealTimers();',
  },
  {
    name: 'json module',
    imported: '{ price }',
    src: {
      'src/a.js': "import p from './p.json';\nexport const price = (k) => p[k];",
      'src/p.json': '{"x":3}',
    },
    test: 'expect(price("x")).toBe(3);',
  },
  {
    name: 'ts generics',
    path: 'src/a.ts',
    imported: '{ first }',
    src: { 'src/a.ts': 'export function first<T>(list: readonly T[]): T | undefined { return list[0]; }' },
    test: 'expect(first([1, 2])).toBe(1); expect(first([])).toBe(undefined);',
  },
  {
    name: 'ts enum namespace',
    path: 'src/a.ts',
    imported: '{ name }',
    src: { 'src/a.ts': 'export enum C { Red, Blue }\nexport const name = (c: C): string => C[c];' },
    test: 'expect(name(1)).toBe("Blue");',
  },
  {
    name: 'ts param props',
    path: 'src/a.ts',
    imported: '{ make }',
    src: {
      'src/a.ts':
        'class Pt { constructor(public x: number, readonly y: number) {} }\nexport const make = (x: number): Pt => new Pt(x, x);',
    },
    test: 'expect(make(2).y).toBe(2);',
  },
  {
    name: 'refactor into module',
    imported: '{ add }',
    src: {
      'src/a.js': "export { add } from './math.js';",
      'src/math.js': 'export const add = (a, b) => a + b;',
    },
    test: 'expect(add(2, 3)).toBe(5);',
  },
  {
    name: 'memo cache',
    imported: '{ fib }',
    src: {
      'src/a.js':
        'const seen = new Map();\nexport function fib(n) { if (n < 2) return n; if (!seen.has(n)) seen.set(n, fib(n - 1) + fib(n - 2)); return seen.get(n); }',
    },
    test: 'expect(fib(20)).toBe(6765); expect(fib(20)).toBe(6765);',
  },
  {
    name: 'counter ids',
    imported: '{ id }',
    src: { 'src/a.js': 'let n = 0;\nexport const id = (p) => `${p}-${++n}`;' },
    test: 'expect(id("a")).toBe("a-1"); expect(id("b")).toBe("b-2");',
  },
  {
    name: 'random',
    imported: '{ pick }',
    src: { 'src/a.js': 'export const pick = (l) => l[Math.floor(Math.random() * l.length)];' },
    test: 'expect([1, 2, 3]).toContain(pick([1, 2, 3]));',
  },
  {
    name: 'uuid',
    imported: '{ id }',
    src: { 'src/a.js': "import { randomUUID } from 'node:crypto';\nexport const id = () => randomUUID();" },
    test: 'expect(id()).toMatch(/-/);',
  },
  {
    name: 'sort in place',
    imported: '{ sorted }',
    src: { 'src/a.js': 'export const sorted = (l) => { l.sort((a, b) => a - b); return l; };' },
    test: 'const l = [3, 1]; expect(sorted(l)).toEqual([1, 3]); expect(l[0]).toBe(1);',
  },
  {
    name: 'callback',
    imported: '{ each }',
    src: { 'src/a.js': 'export const each = (l, f) => l.map((x, i) => f(x, i));' },
    test: 'expect(each([1, 2], (x) => x * 2)).toEqual([2, 4]);',
  },
  {
    name: 'generator',
    imported: '{ range }',
    src: { 'src/a.js': 'export function* range(n) { for (let i = 0; i < n; i++) yield i; }' },
    test: 'expect([...range(3)]).toEqual([0, 1, 2]);',
  },
  {
    name: 'env from test',
    imported: '{ url }',
    src: { 'src/a.js': 'export const url = () => process.env.API_URL ?? "local";' },
    test: 'process.env.API_URL = "x"; expect(url()).toBe("x");',
  },
  {
    name: 'reads file of test',
    imported: '{ read }',
    src: {
      'src/a.js':
        "import { readFileSync } from 'node:fs';\nexport const read = (p) => JSON.parse(readFileSync(p, 'utf8'));",
    },
    test: "const fs = await import('node:fs'); fs.writeFileSync('t.json', '{\"a\":1}'); expect(read('t.json')).toEqual({ a: 1 }); fs.rmSync('t.json');",
  },
  {
    name: 'polyfill guarded',
    imported: '{ last }',
    src: {
      'src/a.js':
        'if (!Array.prototype.at) Array.prototype.at = function (i) { return this[i < 0 ? this.length + i : i]; };\nexport const last = (l) => l.at(-1);',
    },
    test: 'expect(last([1, 2])).toBe(2);',
  },
  {
    name: 'error class',
    imported: '{ fail }',
    src: {
      'src/a.js':
        'export class AppError extends Error { name = "AppError"; }\nexport const fail = (m) => { throw new AppError(m); };',
    },
    test: 'expect(() => fail("x")).toThrow("x");',
  },
  {
    name: 'regexp',
    imported: '{ slug }',
    src: {
      'src/a.js':
        "export const slug = (s) => s.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');",
    },
    test: 'expect(slug(" A b! ")).toBe("a-b");',
  },
  {
    name: 'default export function',
    imported: 'add',
    src: { 'src/a.js': 'export default (a, b = 1) => a + b;' },
    test: 'expect(add(2)).toBe(3);',
  },
  {
    name: 'map and set',
    imported: '{ group }',
    src: { 'src/a.js': 'export const group = (l) => new Map(l.map((x) => [x, new Set([x])]));' },
    test: 'expect(group([1]).get(1).has(1)).toBe(true);',
  },
  {
    name: 'event emitter',
    imported: '{ Bus }',
    src: {
      'src/a.js':
        "import { EventEmitter } from 'node:events';\nexport class Bus extends EventEmitter { fire(x) { this.emit('x', x); return this; } }",
    },
    test: "let g; new Bus().on('x', (v) => (g = v)).fire(3); expect(g).toBe(3);",
  },
  {
    name: 'dependency injection',
    imported: '{ configure, get }',
    src: {
      'src/a.js':
        'let store = { v: 0 };\nexport const configure = (s) => { store = s; };\nexport const get = () => store.v;',
    },
    test: 'configure({ v: 4, load: () => {} }); expect(get()).toBe(4);',
  },
  {
    name: 'prototype method added',
    imported: '{ shout }',
    src: {
      'src/a.js':
        'String.prototype.shout ??= function () { return `${this}!`; };\nexport const shout = (s) => s.shout();',
    },
    test: 'expect(shout("a")).toBe("a!");',
  },
  {
    name: 'locale',
    imported: '{ money }',
    src: {
      'src/a.js':
        "export const money = (n) => n.toLocaleString('en-US', { style: 'currency', currency: 'USD' });",
    },
    test: 'expect(money(3)).toBe("$3.00");',
  },
  {
    name: 'url and buffer',
    imported: '{ b64 }',
    src: { 'src/a.js': "export const b64 = (s) => Buffer.from(s).toString('base64url');" },
    test: 'expect(b64("a")).toBe("YQ");',
  },
];

test.each(PATCHES)(
  'accuses nobody of $name',
  { timeout: 60_000 },
  async ({ src, path = 'src/a.js', imported, test: body }) => {
    const root = temporaryFolder();
    const file = path.endsWith('.ts') ? 'test/a.test.ts' : 'test/a.test.js';
    writeFiles(root, {
      'package.json': { type: 'module' },
      [file]: `import { expect, test, vi } from 'vitest';\nimport ${imported} from '../${path.replace('.ts', '')}';\ntest('works', async () => { ${body} });\n`,
      ...src,
    });
    linkModules(root, ['vitest']);
    const check = createCheck(planFor('vitest'));
    const request = {
      root,
      cacheDir: join(temporaryFolder(), 'cache'),
      fresh: true,
      timeoutMs: 50_000,
      signal: new AbortController().signal,
      files: [file],
    };
    expect(await check.run(request)).toMatchObject({ status: 'pass' });
    const sources = Object.keys(src).filter((it) => /[jt]s$/.test(it));
    const changed = { request, sources, baseText: () => Promise.resolve(undefined) };
    expect(await findReplacedBuiltIns(check, [file], { ...changed, isJudge: (it) => it === file })).toEqual(
      [],
    );
    expect((await replayCalls(check, { ...changed, files: [file] })).tampering).toEqual([]);
  },
);
