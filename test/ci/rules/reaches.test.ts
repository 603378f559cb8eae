import { describe, expect, test } from 'vitest';
import { isActing, reachesOf } from '../../../src/ci/rules/reaches.ts';

const SUM = 'export function total(lines) { return lines.length; }\n';

describe('what a source reaches beyond computing', () => {
  test.each([
    ["export const z = (k = 'constr') => total[k + 'uctor']('return 1')();", 'a member of a function'],
    ["export const z = (k) => handler[k + 'uctor']('x');", 'by a name that is made at run time'],
    ["export const z = () => import('data:text/javascript,export default 1');", 'code from an address'],
    ["import x from 'https://shop.example/x.js'; export const z = x;", 'code from an address'],
    ['export const z = (u) => { new Image().src = u; };', '"Image"'],
    ['export const z = (u) => { location.href = u; };', '"location"'],
    ['export const z = (e, u) => { e.innerHTML = u; };', '"innerHTML"'],
    ["export const z = (e) => e.setAttribute('onclick', 'x');", 'an address or code'],
    ['export const z = (c) => (async () => {}).constructor(c)();', 'the constructor of a value'],
    ['export const z = (c) => Object.getPrototypeOf(total).constructor(c)();', 'the constructor of a value'],
    ['const { constructor: F } = total; export const z = F;', 'the constructor of a value'],
    ["export const z = Object.getOwnPropertyDescriptor(total, 'constructor');", 'the constructor of a value'],
    ['export const z = (b) => WebAssembly.instantiate(b, {});', '"WebAssembly"'],
    ['export const z = (c) => ev\\u0061l(c);', '"eval"'],
    ['export const z = () => process.report.writeReport();', 'process.report'],
    ['export const z = () => console.log(process.env);', 'process.env'],
    ["import process from 'node:process'; export const z = process.env;", 'process.env'],
    ["export const z = () => process['env'];", 'process.env'],
    ['const p = process; export const z = p.env;', '"process"'],
    ['export const z = () => global.fetch;', '"fetch"'],
    ['export const z = () => globalThis.process.env;', 'process.env'],
    ['export const z = () => globalThis.global.process?.env;', 'process.env'],
    ['const p = globalThis.process; export const z = p.env;', '"process"'],
    ["exports.z = () => require.main.require('x');", 'require.main'],
    [
      "const k = ['con', 'structor'].join(''); export const z = (f) => f[k];",
      'by a name that is made at run time',
    ],
    ["const k = 'constructor'; export const z = (f) => f[k];", 'by a name that is made at run time'],
    ["export const z = (f) => Reflect.get(f, `con${'structor'}`);", 'by a name that is made at run time'],
    [
      "const a = 'con'; const { [a + 'structor']: z } = total; export { z };",
      'by a name that is made at run time',
    ],
    ['const p = total.__proto__; export const z = (k) => p[k];', 'the prototype of a value'],
    ['const { __proto__: p } = total; export const z = (k) => p[k];', 'the prototype of a value'],
    ['export const z = (l) => Object.getPrototypeOf(total)[l.k];', 'the prototype of a value'],
    ['export const z = (l) => Reflect.getPrototypeOf(total)[l.k];', 'the prototype of a value'],
    ['const g = Object.getPrototypeOf; export const z = (l) => g(total)[l.k];', 'the prototype of a value'],
    ['const { getPrototypeOf: g } = Object; export const z = g;', 'the prototype of a value'],
    [
      'let p = total; p = Object.getPrototypeOf(p); export const z = (k) => p[k];',
      'the prototype of a value',
    ],
    [
      "export const z = Object.values(Object.getOwnPropertyDescriptors(total.__proto__)).find((it) => it.value.name === ['Func', 'tion'].join(''));",
      'the prototype of a value',
    ],
    ['export const z = (l) => l[Object.keys({ constructor: 1 })[0]];', 'a member of a function'],
    ["const all = ['con', 'structor']; export const z = (l) => l[all.join('')];", 'a member of a function'],
    ['const f = total; export const z = (k) => f[k];', 'a member of a function'],
    ['export const z = (l) => (l.open || total)[l.k];', 'a member of a function'],
    ['export const z = (l) => l.map[l.k](l.c);', 'a member of a function'],
    ['export const z = (l) => [].map[l.k];', 'a member of a function'],
    ['export const z = (l) => l.call[l.k];', 'a member of a function'],
    ['export const z = (k) => Array[k];', 'a member of a function'],
    ['export const z = (l, k) => l[k][k](l.c);', 'a member of a function'],
    ['export const z = (l, a, b) => l[a][b](l.c)();', 'a member of a function'],
    ['export const z = (k) => Reflect.get(total, k);', 'a member of a function'],
    ['export const z = (k) => ({ __proto__: total })[k];', 'a member of a function'],
    ['export const z = (k) => Object.setPrototypeOf({}, total)[k];', 'a member of a function'],
    ['export const z = (keys) => keys.reduce((f, key) => f[key], total);', 'a member of a function'],
    ['export const z = class extends total { static m(k) { return super[k]; } };', 'a member of a function'],
    ["const [k] = ['constructor']; export const z = (l) => l[k];", 'the constructor of a value'],
    ["export const z = (l, k = 'constructor') => l[k];", 'the constructor of a value'],
    ["const o = { k: 'constructor' }; export const z = (l) => l[o.k];", 'the constructor of a value'],
    ["const all = ['constructor']; export const z = (l) => l[all[0]];", 'the constructor of a value'],
    ['const f = function constructor() {}; export const z = (l) => l[f.name];', 'the constructor of a value'],
    ["import { DatabaseSync } from 'node:sqlite'; export const z = DatabaseSync;", 'imports "sqlite"'],
    ["import v8 from 'v8'; export const z = v8;", 'imports "v8"'],
    ["export const z = require('left-pad');", 'imports "left-pad"'],
    ["export const z = () => require('!!val-loader!./x');", 'imports'],
    ['if (Date.now() > 2) Object.prototype.admin = true;', 'changes the global "Object"'],
    ['Object.assign(Array.prototype, { x: 1 });', 'changes the global "Array"'],
    ['Error.prepareStackTrace = (e, s) => s;', 'changes the global "Error"'],
    ['export const z = import.meta.glob("/**/*.env");', 'import.meta.glob'],
    ['//# sourceMappingURL=https://shop.example/x.map', 'a comment that'],
    ['// vim: set modeline foldexpr=x:', 'a comment that'],
  ])('%s', (code, text) => {
    expect([...reachesOf('src/cart.js', `${code}\n${SUM}`)].join('; ')).toContain(text);
  });

  test.each([
    ['src/a.js', "import { a } from './a.js'; export const z = (x) => Math.max(...a(x).map(Number));"],
    ['src/a.js', "import path from 'node:path'; export const z = (x) => path.join(x, 'c');"],
    [
      'src/a.js',
      'export class A { copy() { return new this.constructor(); } name() { return this.constructor.name; } }',
    ],
    [
      'src/a.js',
      "export const isPlain = (x) => x.constructor === Object && !['constructor'].includes(x.key);",
    ],
    [
      'src/a.js',
      'export const z = (map, k) => map[k] ?? map[`${k}s`]; export const y = (list, i) => list[i + 1];',
    ],
    ['src/a.js', 'export const isPlain = (o) => Object.getPrototypeOf(o) === Object.prototype;'],
    ['src/a.js', 'export const has = (o, k) => Object.prototype.hasOwnProperty.call(o, k);'],
    [
      'src/a.js',
      'function inner({ a = 1, ...rest }, [b]) { try { return a + b + rest.c; } catch (error) { throw new Error(String(error)); } } export { inner as z };',
    ],
    ['src/a.js', "module.exports = { z: () => process.nextTick(require('./b')) };"],
    ['src/a.js', "export const isNode = typeof process !== 'undefined' && typeof window === 'undefined';"],
    [
      'src/a.ts',
      "import type { A } from 'left-pad'; enum Kind { one = 'one' } export function z(a: A & HTMLElement): Kind { return Kind.one as Kind; }",
    ],
    ['src/a.tsx', 'export const Z = ({ name }: { name: string }) => <p className="x">{name}</p>;'],
    [
      'src/a.js',
      'export const isPlain = (o) => { const p = Object.getPrototypeOf(o); return p === null || p === Object.prototype || !Object.getPrototypeOf(p); };',
    ],
    [
      'src/a.js',
      'export const isPlain = (o) => { let p = o; while (Object.getPrototypeOf(p)) p = Object.getPrototypeOf(p); return p === o; };',
    ],
    ['src/a.js', 'export const copy = (o) => Object.assign(Object.create(Object.getPrototypeOf(o)), o);'],
    ['src/a.js', 'export const nameOf = (o) => Object.getPrototypeOf(o).constructor.name;'],
    [
      'src/a.js',
      "const BLOCKED = ['__proto__', 'constructor', 'prototype']; export const set = (o, k, v) => { if (!BLOCKED.includes(k)) o[k] = v; };",
    ],
    [
      'src/a.js',
      "const BLOCKED = new Set(['__proto__', 'constructor']); export const set = (o, k, v) => { if (!BLOCKED.has(k)) o[k] = v; };",
    ],
    [
      'src/a.js',
      "export const set = (o, k, v) => { if (k === '__proto__' || k === 'constructor' || Object.hasOwn(o, 'constructor')) return; o[k] = v; };",
    ],
    ['src/a.js', "export const own = (o) => Object.prototype.hasOwnProperty.call(o, 'constructor');"],
    ['src/a.js', 'export const z = (keys, at, k) => keys.keys[at - 1] ?? keys.map[k];'],
    ['src/a.js', 'export const z = (on, event, item) => on[event](item) ?? on[event][item.kind](item);'],
    ['src/a.js', 'export const empty = () => ({ __proto__: null });'],
    ['src/a.js', "const FIELDS = ['a', 'b']; export const z = (o, at) => [o[FIELDS[0]], o[FIELDS[at]]];"],
    ['src/a.js', "const state = { at: 0, left: '' }; export const z = (text) => text[state.at + 4];"],
    ['src/a.js', "const KEY = 'name'; export const z = (o) => o[KEY](o[KEY]);"],
    ['src/a.js', 'if (require.main === module) exports.z();'],
    [
      'src/a.js',
      'function A() { this.a = 1; } A.prototype.b = function () { const self = this; return self; };',
    ],
    ['src/a.mjs', 'export function z() { return globalThis.process?.nextTick(this); }'],
    ['src/a.js', 'outer: for (const x of [1]) { continue outer; }'],
  ])('nothing, in %s: %s', (path, code) => {
    expect([...reachesOf(path, code)]).toEqual([]);
  });

  test.each([
    'exports.z = function () { return this; }().process;',
    'function g() { return this; } exports.z = () => g();',
    'function g() { return this.process; } exports.z = () => g();',
  ])('the global object, in a script: %s', (code) => {
    const isFound = (text: string): boolean =>
      [...reachesOf('src/cart.js', text)].join().includes('can be the global object');
    expect(isFound(code)).toBe(true);
    expect(isFound(`'use strict';\n${code}`)).toBe(false);
    expect(isFound(`${code}\n${SUM}`)).toBe(false);
  });

  test('some lines of a source alone', () => {
    const text = `import { get } from './get.js';\n${SUM}export const all = () => get(total);\nexport const send = (x) => fetch(x);\n// vim: set modeline:\n`;
    const acting = [1, 2, 3, 4, 5].filter((line) => isActing('src/a.js', text, { first: line, last: line }));
    expect(acting).toEqual([4, 5]);
  });
});
