import { describe, expect, it } from 'vitest';
import { suppressionsIn } from '../../../../src/workspace/protect/suppressions/index.ts';

const counted = (text: string, path = 'a.ts', base = ''): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(suppressionsIn(path, text, base), ({ kind }) => kind)].map(([kind, all]) => [
      kind,
      all.length,
    ]),
  );

describe('suppressionsIn', () => {
  it.each([
    ['// @ts-ignore\nf();', '@ts-ignore'],
    ['/* @ts-ignore */ f();', '@ts-ignore'],
    ['/**\n * @ts-expect-error later\n */\nf();', '@ts-expect-error'],
    ['// @ts-nocheck\nf();', '@ts-nocheck'],
    ['// eslint-disable-next-line no-undef\nf();', 'eslint-disable'],
    ['f(); // eslint-disable-line', 'eslint-disable'],
    ['/* eslint-disable */', 'eslint-disable'],
    ['/* eslint no-undef: 0 */', 'inline eslint configuration'],
    ['/* eslint "a/b": "off" */', 'inline eslint configuration'],
    ['/* global missing, other: writable */', 'a declared global'],
    ['const a = b as any;', 'a cast to any'],
    ['const a = <any>b;', 'a cast to any'],
    ['const a = b as unknown as string;', 'a cast through unknown'],
    ['const a = (b as unknown) as string;', 'a cast through unknown'],
    ['declare const a: any;', 'an ambient any'],
    ['declare function a(): any;', 'an ambient any'],
    ["declare module 'a';", 'an ambient any'],
    ['const list: any[] = [1];', 'any inside the type of a value'],
    ['const box: { [key: string]: any } = {};', 'any inside the type of a value'],
    ['const map = new Map<string, any>();', 'any inside the type of a value'],
    ['void Promise.resolve<any>(1);', 'any inside the type of a value'],
    ['const a: number = b as never;', 'a cast to never'],
    ['const a: number = null!;', 'a null that is asserted away'],
    ['const a: number = (undefined)!;', 'a null that is asserted away'],
    ["const text: unknown = 'x';\nconst a = text as number;", 'a cast through unknown'],
    ["const text = 'x' as unknown;\nconst a = text as number;", 'a cast through unknown'],
    ['declare const a: string;', 'an ambient declaration'],
    ['declare function a(): string;', 'an ambient declaration'],
    ['function f(a: any): number { return a; }', 'a parameter of type any'],
    ['const f = (a: any): number => a;', 'a parameter of type any'],
    ['/* global missing -- it is there */', 'a declared global'],
    ['const none = null;\nconst a: number = none!;', 'a null that is asserted away'],
    ["const a: number = JSON.parse('1');", 'a value read from a text without a type'],
    ['const is = (a: unknown): a is number => true;', 'a type guard that checks nothing'],
    ['function must(a: unknown): asserts a is number {}', 'a type guard that checks nothing'],
    ['type Loose = ReturnType<typeof JSON.parse>;\nconst a = b as Loose;', 'a cast to any'],
    ['const f: Function = g;', 'a type that accepts everything'],
    ['const a = Object.values(b as object);', 'a type that accepts everything'],
    ['function f(): number;\nfunction f(): unknown { return g; }', 'a type that accepts everything'],
    ['let a!: number;', 'a variable that is only declared to be set'],
    ['try { f(); } catch (error: any) { g(error); }', 'a parameter of type any'],
    ['const is = (a: unknown): a is A => a !== undefined;', 'a type guard that checks nothing'],
    ['const is = (a: unknown): a is A => a === a && !!a;', 'a type guard that checks nothing'],
    ['const is = (a: unknown): a is A => Boolean(a);', 'a type guard that checks nothing'],
    ['function is(a: object): a is A { void a; return true; }', 'a type guard that checks nothing'],
    [
      'function must(a: object): asserts a is A { if (!a) throw new Error(); }',
      'a type guard that checks nothing',
    ],
    ['const is = (a: A | B): a is A => true;', 'a type guard that checks nothing'],
    ['const as = <T>(a: unknown): T => box(a);', 'a function that returns whatever type its caller names'],
    [
      'function as<T, U>(a: U): T { return box(a); }',
      'a function that returns whatever type its caller names',
    ],
    [
      'async function as<T>(a: object): Promise<T> { return box(a); }',
      'a function that returns whatever type its caller names',
    ],
    [
      'const a: number = JSON.parse(JSON.stringify(b));',
      'a value that loses its type on the way through a function',
    ],
    [
      "const f = (b: B): string => Reflect.get(b, 'size');",
      'a value that loses its type on the way through a function',
    ],
    [
      'function f(b: string): number { return arguments[0]; }',
      'a value that loses its type on the way through a function',
    ],
    ['function f(a: A): any { return a; }', 'a function that returns any'],
    ['const f = async (a: A): Promise<any> => a;', 'a function that returns any'],
    ['const f = ({ a }: any): number => a;', 'a parameter of type any'],
    ['const f = (a: any = 1): number => a;', 'a parameter of type any'],
    ['type None = never;\nconst a: number = b as None;', 'a cast to any'],
    ["const a: number = b as Record<string, any>['x'];", 'a cast to any'],
    ["const f = new Function('return missing');", 'code in a text'],
    ["const a = (0, eval)('1');", 'code in a text'],
    ['/* eslint {"no-undef": 0} */', 'inline eslint configuration'],
    ['// @ts-nocheck\nconst a = ;;; }{', '@ts-nocheck'],
    ['if (process.env.VITEST) f();', 'a check whether it is being tested'],
    ["if (process.env['JEST_WORKER_ID']) f();", 'a check whether it is being tested'],
    ['const { NODE_TEST_CONTEXT: isTested } = process.env;', 'a check whether it is being tested'],
    ['if (globalThis.describe) f();', 'a check whether it is being tested'],
    ["global['expect']?.extend(a);", 'a check whether it is being tested'],
    ['afterEach(() => f());', 'a check whether it is being tested'],
    ["if (typeof beforeAll === 'function') f();", 'a check whether it is being tested'],
    ['globalThis.beforeEach(() => f());', 'a check whether it is being tested'],
  ])('are found in %s', (text, name) => {
    const { 'a value that code in a text computes': _, ...found } = counted(text);
    expect(found).toEqual({ [name]: 1 });
  });

  it.each([
    "const a = '// @ts-ignore';",
    'const a = `/* eslint-disable */`;',
    '// write no @ts-ignore here\nf();',
    '// eslint disables nothing by itself\nf();',
    '/* global state is kept elsewhere */',
    '// global missing',
    'const a = b as unknown;',
    'const a = b as string;',
    'const a: unknown = JSON.parse(b);\nconst c = a as C;',
    'const a = b!;',
    "declare module 'a' { export const b: number; }",
    'function f(...given: any[]): void {}',
    'type A = Record<string, any>;',
    "if (process.env.CI || process.env.NODE_ENV === 'test') f();",
    'globalThis.setup = f; globalThis.crypto.subtle;',
    'const it = a.it; expect(it); describe(it);',
    'router.beforeEach((to) => f(to));',
    'function beforeEach(guard) { guards.push(guard); }\nbeforeEach(f);',
    'export const run = ({ beforeEach, afterEach }) => { beforeEach(); afterEach(); };',
    '<<<<<<< as any',
  ])('are not seen in %s', (text) => {
    expect(counted(text)).toEqual({});
  });

  it('names both what a generic cast does and how', () => {
    expect(counted('const to = <T>(a: unknown): T => a as T;')).toEqual({
      'a cast through unknown': 1,
      'a function that returns whatever type its caller names': 1,
    });
  });

  it.each([
    ['const b = user.name!;', 'const b = user.name;', 1],
    ['const known = found!;\nuse(known);', 'use(found);', 1],
    ['use(found!);', 'const b = found!;', 0],
    ['use(map.get(key)!);', 'use(map);', 0],
    ['use(found!);', 'use(foundation);', 0],
    ['if (found !== b) f();', 'if (found) f();', 0],
  ])('counts a value that is said to be there in %j after %j', (text, base, count) => {
    expect(counted(text, 'a.ts', base)['a null that is asserted away'] ?? 0).toBe(count);
  });

  it('counts a parameter of type any that is returned, also beside others', () => {
    const base = 'function f(a: any): number { return g(a); }';
    const name = 'a parameter of type any';
    expect(counted('const to = (a: any): number => a;', 'a.ts', base)).toEqual({ [name]: 1 });
    expect(counted('const to = (a: any): number => g(a);', 'a.ts', base)).toEqual({});
  });

  it.each([
    'const is = (a: A | undefined): a is A => a !== undefined;',
    'const is = <T>(a: T | null): a is T => a !== null;',
    'const is = (a: unknown): a is NonNullable<unknown> => a !== null;',
    "const is = (a: unknown): a is A => typeof a === 'object' && a !== null;",
    "const is = (a: unknown): a is 'on' | 'off' => a === 'on' || a === 'off';",
    'const is = (a: unknown): a is A => schema.check(a);',
    'const is = (a: unknown): a is A => { const { kind } = a as Partial<A>; return kind !== undefined; }',
    'const is = (a: unknown): a is Buffer => globalThis.Buffer?.isBuffer(a) ?? false;',
    'const post = <T>(url: string, body: unknown): Promise<T> => send(url, body);',
    "const is = (a: unknown): a is A => { const { b } = (a ?? {}) as Partial<A>; return typeof b === 'string'; }",
    'const is = (a: unknown): a is Error => a instanceof Error;',
    'function must(a: unknown): asserts a { if (!a) throw new Error(); }',
    'const first = <T>(all: readonly T[]): T | undefined => all[0];',
    'const read = async <T>(path: string): Promise<T> => load(path);',
    'const pick = <T, K extends keyof T>(a: T, key: K): T[K] => a[key];',
    'const map = <T, U>(all: T[], fn: (a: T) => U): U[] => all.map(fn);',
    'const call = <T>(fn: () => T): T => fn();',
    'const copy: A = JSON.parse(JSON.stringify(a));',
    'const f = (a: A, name: string): unknown => Reflect.get(a, name);',
  ])('leave honest types alone: %s', (text) => {
    expect(counted(text)).toEqual({});
  });

  it('reads JSDoc types of JavaScript', () => {
    const text = '/** @type {any} */\nconst a = 1;';
    expect(counted(text, 'a.js')).toEqual({ 'any in a JSDoc type': 1 });
    expect(counted(text, 'a.ts')).toEqual({});
  });

  it('has the line of each', () => {
    expect(suppressionsIn('a.ts', 'f();\n  // @ts-ignore\n  g();\n')).toEqual([
      { kind: '@ts-ignore', line: 'g();', isForFile: false },
    ]);
  });

  it('counts nothing in files without code', () => {
    expect(counted('// @ts-ignore', 'README.md')).toEqual({});
  });

  it('counts a type that became any, but not an any without an earlier type', () => {
    const name = 'any instead of a type';
    expect(counted('const a: any = f();', 'a.ts', 'const a: number = f();')).toEqual({ [name]: 1 });
    expect(counted('function f(a: any): any {}', 'a.ts', 'function f(a: A): B {}')).toEqual({
      [name]: 2,
      'a function that returns any': 1,
      'a parameter of type any': 1,
    });
    expect(counted('const a: any = f();', 'a.ts', 'const a = f();')).toEqual({});
    expect(counted('const a: any = f();', 'a.ts', 'const a: any = g();')).toEqual({});
    const two = 'function f(key: string) { return [key]; } function g(key: any) { return [key]; }';
    expect(counted(two.replace('[key]', '[key, key]'), 'a.ts', two)).toEqual({});
    expect(counted(two.replace('string', 'any'), 'a.ts', two)).toEqual({ [name]: 1 });
  });

  it.each([
    ['const a: unknown = JSON.parse(text);'],
    ["const is = (a: unknown): a is number => typeof a === 'number';"],
    ['const first = <T>(all: readonly T[]): T => all[0] as T;'],
    ['function f(a: string): string;\nfunction f(a: number): number;\nfunction f(a: any) { return a; }'],
    ['class A { name!: string; }'],
    ['const a = found!;'],
    ['try { f(); } catch (error: unknown) { g(error); }'],
  ])('finds nothing in %s', (text) => {
    expect(counted(text, 'a.ts', '(a: any)')).toEqual({});
  });
});

describe('promises that no code keeps', () => {
  const OVERLOAD = 'an overload that promises more than its function returns';
  const RETYPED = 'another type for a member of the language';
  it.each([
    ['function f(a: string): User;\nfunction f(a: string): User | undefined { return g(a); }', OVERLOAD],
    [
      'export function f(a: string): User;\nexport function f(a: string): User | null { return g(a); }',
      OVERLOAD,
    ],
    ['class A {\n  f(a: string): User;\n  f(a: string): User | undefined { return g(a); }\n}', OVERLOAD],
    [
      'async function f(): Promise<User>;\nasync function f(): Promise<User | undefined> { return g(); }',
      OVERLOAD,
    ],
    ['export {};\ndeclare global { interface Array<T> { find(test: (it: T) => boolean): T; } }', RETYPED],
    ['export {};\ndeclare global { interface ReadonlyArray<T> { at(index: number): T; } }', RETYPED],
    ['export {};\ndeclare global { interface JSON { parse(text: string): User; } }', RETYPED],
    ['interface Map<K, V> { get(key: K): V; }', RETYPED],
    ['interface ObjectConstructor { entries(it: object): [string, User][]; }', RETYPED],
  ])('%s', (text, kind) => {
    expect(counted(text)).toMatchObject({ [kind]: 1 });
  });

  it.each([
    'function f(a: string): User;\nfunction f(a?: string): User | undefined { return g(a); }',
    'function f(a: string): User | undefined;\nfunction f(a: number): string;\nfunction f(a: string | number): User | string | undefined { return g(a); }',
    'function f(a: string, b: () => undefined): User;\nfunction f(a: string, b: () => undefined): User { return g(a); }',
    'export {};\ndeclare global { interface Array<T> { sum(): number; } interface Window { kit: Kit; } }',
    'export interface Map<K, V> { get(key: K): V; }',
    'namespace kit { export interface Array<T> { find(): T; } }',
  ])('nothing in %s', (text) => {
    const kinds = counted(text);
    expect([kinds[OVERLOAD], kinds[RETYPED]]).toEqual([undefined, undefined]);
  });
});
