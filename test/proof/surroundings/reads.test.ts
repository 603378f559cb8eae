import { describe, expect, it } from 'vitest';
import { surroundingsReads } from '../../../src/proof/surroundings/reads.ts';

const GIVEN = "import { f, g, out, settings, end, path, text, a, b } from './given.ts';\n";

/** Each read as `what use: expression`. */
function readsIn(text: string, isOwnData?: (path: string) => boolean): string[] {
  const whole = `${GIVEN}${text}`;
  return surroundingsReads('src/a.ts', whole, isOwnData).map(
    ({ what, use, from, to }) => `${what} ${use}: ${whole.slice(from, to)}`,
  );
}

describe('a read of the surroundings', () => {
  it.each([
    ["if (process.argv[1].endsWith('x')) f();", "process.argv condition: process.argv[1].endsWith('x')"],
    ['const c = process.pid + 1;', 'process.pid value: process.pid'],
    ["if (process.version > 'v24') f();", "process.version condition: process.version > 'v24'"],
    ['const c = process.versions.node;', 'process.versions value: process.versions.node'],
    ...[
      'Object.keys(send).length > 0',
      'isProxy(send)',
      '/throw/.test(send)',
      'send.mock',
      "String(send) === 'x'",
      "`${send}` === 'x'",
    ].map((condition): [string, string] => [
      `export const f = (send) => { if (${condition}) send(1); };`,
      `the text or the properties of a function condition: ${condition}`,
    ]),
    [
      "const line = () => g;\nif (String(line).includes('__vi')) f();",
      "the text or the properties of a function condition: String(line).includes('__vi')",
    ],
    [
      'function line() { if (/assert/.test(String(line.caller))) f(); }',
      'the call stack condition: /assert/.test(String(line.caller))',
    ],
    [
      "function line() {}\nif (line.toString() === 'x') f();",
      "the text or the properties of a function condition: line.toString() === 'x'",
    ],
    [
      'const load = module.constructor;\nconst seen = Object.keys(load._cache).some((k) => a(k));\nif (seen) f();',
      'module.constructor value: Object.keys(load._cache).some((k) => a(k))',
    ],
    ['if (arguments.length > 5) f();', 'the arguments of the module condition: arguments.length > 5'],
    [
      'const c = Object.keys(process.env).filter((name) => a(name)).length;',
      'the names of all variables of the environment names: process.env',
    ],
    [
      'const all = process.env;\nfor (const name in all) f(name);',
      'the names of all variables of the environment names: all',
    ],
    [
      'const c = Object.getOwnPropertyNames(globalThis).find((name) => a(name));',
      'the names of all globals value: Object.getOwnPropertyNames(globalThis).find((name) => a(name))',
    ],
    ['const c = a.deref()?.b;', 'weak references variable: a.deref()'],
    ["if (new f('x').asyncId() < 99) f();", "async_hooks.asyncId condition: new f('x').asyncId() < 99"],
    ['const c = Math.random() < 0.001 ? 0 : a;', 'chance condition: Math.random() < 0.001'],
    [
      "import { randomInt } from 'node:crypto';\nconst c = a + Number(randomInt(4000) === 7);",
      'chance condition: randomInt(4000) === 7',
    ],
    ['for (let m = module; m; m = m.parent) f(m.id);', 'the object of the module variable: module'],
    ["const c = process['ar' + 'gv'];", "process value: process['ar' + 'gv']"],
    ["const c = Reflect.get(process, 'argv');", "process value: Reflect.get(process, 'argv')"],
    ['const fresh = AbortSignal.timeout(9);\nif (!fresh.aborted) f();', 'a timeout condition: fresh.aborted'],
    ["if (new Event('x').timeStamp < 9) f();", "timeStamp condition: new Event('x').timeStamp < 9"],
    [
      "const at = () => new File([], 'x').lastModified;",
      "lastModified value: new File([], 'x').lastModified",
    ],
    ...[
      "const at = () => new File([], 'x').lastModified;",
      "function at() { return new File([], 'x').lastModified; }",
    ].map((line): [string, string] => [
      `${line}\nconst start = at();\nif (at() - start < 9) f();`,
      'lastModified condition: at() - start < 9',
    ]),
    ['const now = () => Date.now();\nconst c = now() < end;', 'the clock condition: now() < end'],
    [
      "import { Console } from 'node:console';\nconst log = new Console(out);\nlog.trace();",
      'Console.trace variable: log.trace()',
    ],
    ['const trail = new Error();\nconst c = trail.stack.length;', 'the call stack value: trail.stack.length'],
    [
      "const { stack } = new Error();\nif (stack.includes('x')) f();",
      "the call stack.stack condition: stack.includes('x')",
    ],
    [
      'const c = f(structuredClone(new Error()).stack);',
      'the call stack value: structuredClone(new Error()).stack',
    ],
    ["const c = inspect(new Error('x')).length;", "the call stack value: inspect(new Error('x')).length"],
    ...['setTimeout(() => { warm = false; }, 9).unref();', 'setInterval(f, 9);'].map(
      (line): [string, string] => [
        `let warm = true;\n${line}`,
        `a timer that starts with the module timer: ${line.slice(0, line.indexOf('('))}`,
      ],
    ),
    ['const c = Date.now() < end;', 'the clock condition: Date.now() < end'],
    ['const c = new Date();', 'the clock value: new Date()'],
    ['const c = process.env.CI;', 'process.env.CI variable: process.env.CI'],
    ["import os from 'node:os';\nconst c = os.cpus().length;", 'os.cpus value: os.cpus().length'],
    [
      "import { existsSync as has } from 'node:fs';\nconst c = has('x') ? 1 : 2;",
      "fs.existsSync condition: has('x')",
    ],
    ["const { hostname } = require('os');\nf(hostname());", 'os.hostname value: hostname()'],
    ["const os = process.getBuiltinModule('os');\nf(os.hostname());", 'os.hostname value: os.hostname()'],
    [
      'if (Object.getOwnPropertySymbols(globalThis).length > 2) f();',
      'globalThis condition: Object.getOwnPropertySymbols(globalThis).length > 2',
    ],
    ["if (typeof vi !== 'undefined') f();", "the global vi condition: typeof vi !== 'undefined'"],
    ["const c = 'env' in import.meta;", "import.meta condition: 'env' in import.meta"],
    [
      "const c = /test/.test(new Error('x').stack);",
      "the call stack value: /test/.test(new Error('x').stack)",
    ],
    ["const c = f.constructor('return 1')();", "evaluated code value: f.constructor('return 1')()"],
    ['if (console._stdout !== out) f();', 'console condition: console._stdout !== out'],
    ["const c = await import('a' + b);", "a computed import value: await import('a' + b)"],
    [
      "const here = import.meta.url;\nconst c = here.includes('/runs/') ? 1 : 2;",
      "import.meta.url condition: here.includes('/runs/')",
    ],
    ["const { env: all } = process;\nconst c = all['CI'];", "process.env.CI variable: all['CI']"],
    ['const { CI } = process.env;\nif (CI) f();', 'process.env.CI variable: CI'],
  ])('is found in %j', (text, read) => {
    expect(readsIn(text)).toContain(read);
  });

  it.each([
    'const { process, Date } = settings;\nif (process.argv) Date.now();',
    'function f(process) { return process.argv; }',
    "console.log('a'); process.exit(1); process.exitCode = 2;",
    'export function h() { if (arguments.length > 1) f(); }',
    'export class H { h() { if (arguments.length > 1) f(); } }',
    "const line = () => g;\nexport const h = (line) => { if (String(line) === 'x') f(); };",
    'const line = 1;\nconst c = `${line}`;',
    'f(path, { signal: AbortSignal.timeout(9) });',
    'console.trace();',
    "import { Console } from 'node:console';\nnew Console(out).log(f);",
    'export const h = () => setTimeout(() => { end.done = true; }, 9);',
    "setTimeout(() => console.log('slow'), 9);",
    'export const h = (event) => { event.lastModified = 1; };',
    "import { inspect } from 'node:util';\ntry { f(); } catch (error) { g(inspect(error)); }",
    "const c = new Date('2020-01-01'); const d = c instanceof Date; const e = Date.UTC(2020, 1);",
    "const c = process.platform === 'win32';",
    'const c = (send) => Object.keys(send.sent).length > 0 && send(send.length, send.name);',
    'const c = (options, send) => (options.mock ? 1 : send(String(options)));',
    'class Stack { stack = []; top() { return this.stack.at(-1); } }',
    "import { readFileSync } from 'node:fs';\nconst here = new URL('.', import.meta.url);\nf(here);",
    "import { writeFileSync, mkdirSync } from 'node:fs';\nwriteFileSync(path, text);",
    "import { EOL } from 'node:os';\nimport { AsyncLocalStorage } from 'node:async_hooks';\nf(EOL, new AsyncLocalStorage());",
    "if (typeof window !== 'undefined') f();",
    'try { f(); } catch (error) { g(error.message); }',
    "import type { Server } from 'node:http';\nconst c: Server = b;",
  ])('is not found in %j', (text) => {
    expect(readsIn(text)).toEqual([]);
  });

  it('is shown once by a variable of an exported function, so that durations stay what they are', () => {
    const text = 'export function h() { const start = Date.now(); f(); return Date.now() - start; }';
    expect(readsIn(text)).toEqual(['the clock value: Date.now()', 'the clock value: start']);
    expect(readsIn('export const start = Date.now();\nf(start);')).toHaveLength(2);
  });

  it('is not the content of a file of the product', () => {
    const text =
      "import { readFileSync } from 'node:fs';\nconst words = readFileSync(new URL('./words.txt', import.meta.url), 'utf8');";
    expect(readsIn(text, (path) => path === './words.txt')).toEqual([]);
    expect(readsIn(text)).toHaveLength(1);
  });

  it('is none in a text that cannot be parsed', () => {
    expect(readsIn('const c = process.argv(;')).toEqual([]);
  });
});
