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
