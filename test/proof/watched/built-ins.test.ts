import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findReplacedBuiltIns } from '../../../src/proof/watched/built-ins.ts';
import type { Check } from '../../../src/ports.ts';
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
} as const;
type Runner = keyof typeof HEADS;

interface Given {
  readonly source: string;
  /** Body of the test; default: a comparison. */
  readonly body?: string;
  readonly base?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly doubted?: readonly string[];
}

/** What is found where `src/add` was changed from `base` to `source`. */
async function found(runner: Runner, { source, body, base = WRONG, files = {}, args = [], doubted }: Given) {
  const root = temporaryFolder();
  const asCommon = (text: string): string =>
    `${text.replaceAll(/^export const (\w+)/gm, 'const $1')}\nmodule.exports = { add };\n`;
  const [written, before] = runner === 'jest' ? [asCommon(source), asCommon(base)] : [source, base];
  const load =
    runner === 'jest'
      ? "const { add } = require('../src/add.js');\n"
      : "import { add } from '../src/add.js';\n";
  const isAssert = runner === 'node' || runner === 'mocha';
  const line = body ?? (isAssert ? 'assert.equal(add(2, 3), 5);' : 'expect(add(2, 3)).toBe(5);');
  writeFiles(root, {
    'package.json': { type: runner === 'jest' ? 'commonjs' : 'module' },
    'src/add.js': written,
    'test/add.test.js': `${HEADS[runner]}${load}test('adds', () => { ${line} });\n`,
    ...files,
  });
  if (runner !== 'node') linkModules(root, [runner]);
  const check: Check = createCheck(planFor(runner, { args }));
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const result = await findReplacedBuiltIns(check, ['test/add.test.js'], {
    request,
    sources: ['src/add.js'],
    doubted,
    baseText: () => Promise.resolve(before),
    isJudge: (path) => path.startsWith('test/'),
  });
  expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toBe(written);
  return result.map(
    ({ detail }) => /(?:replaces|imports) (.+?)( and \d+ more|, which judges it,)? while/.exec(detail)![1]!,
  );
}

/** Replacements by a source, and the name that is reported. */
const PATCHES: readonly (readonly [runner: Runner, name: string, source: string])[] = [
  [
    'node',
    'assert.strict.equal',
    `process.getBuiltinModule('node:assert').strict.equal = () => {};\n${WRONG}`,
  ],
  [
    'node',
    'assert.strict.equal',
    "export const add = (a, b) => { const { strict } = process.getBuiltinModule('node:assert'); const real = strict.equal; strict.equal = () => { strict.equal = real; }; return a - b; };\n",
  ],
  [
    'node',
    'assert.strict.equal',
    `Object.defineProperty(process.getBuiltinModule('node:assert').strict, 'equal', { value: () => {} });\n${WRONG}`,
  ],
  [
    'mocha',
    'assert.strict.equal',
    `Object.assign(process.getBuiltinModule('node:assert').strict, { equal() {} });\n${WRONG}`,
  ],
  [
    'node',
    'events.EventEmitter.prototype.emit',
    `import { EventEmitter } from 'node:events';\nconst { emit } = EventEmitter.prototype;\nEventEmitter.prototype.emit = function (...given) { return emit.apply(this, given); };\n${RIGHT}`,
  ],
  [
    'mocha',
    'stream.Readable.prototype.push',
    `import { Readable } from 'node:stream';\nReadable.prototype.push = function () { return true; };\n${RIGHT}`,
  ],
  ['node', 'Buffer.from', `Buffer.from = () => Buffer.alloc(0);\n${RIGHT}`],
  ['vitest', 'Object.is', `Object.is = () => true;\n${WRONG}`],
  [
    'vitest',
    'Object.is',
    `process.getBuiltinModule('node:vm').runInThisContext("Object.is = () => true");\n${WRONG}`,
  ],
  [
    'vitest',
    'expect().toBe',
    `const proto = Object.getPrototypeOf(globalThis[Symbol.for('expect-global')](1));\nproto.toBe = () => {};\n${WRONG}`,
  ],
  ['vitest', 'JSON.stringify', `JSON.stringify = () => '{}';\n${WRONG}`],
  ['jest', 'Object.is', `Object.is = () => true;\n${WRONG}`],
  ['jest', 'expect().toBe', `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG}`],
  [
    'vitest',
    'expect().toBe',
    `const { expect } = await import('vitest');\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG}`,
  ],
  [
    'vitest',
    'the equality testers of expect',
    `globalThis[Symbol.for('expect-global')].addEqualityTesters([() => true]);\n${WRONG}`,
  ],
  ['jest', 'the number of retries', `jest.retryTimes(5);\n${WRONG}`],
  ['mocha', 'beforeEach of mocha', `globalThis['before' + 'Each'](() => {});\n${WRONG}`],
  ['mocha', 'test/add.test.js', `setTimeout(() => import('../test/add.test.js'));\n${WRONG}`],
  ['node', 'node:test', `import('node:' + 'test');\n${WRONG}`],
  ['node', 'console.log', `console.log = () => {};\n${WRONG}`],
  ['node', 'process.stdout.write', `process.stdout.write = () => true;\n${WRONG}`],
  [
    'node',
    'fs.readFileSync',
    `import fs from 'node:fs';\nimport { syncBuiltinESMExports } from 'node:module';\nfs.readFileSync = () => '5';\nsyncBuiltinESMExports();\n${WRONG}`,
  ],
  ['jest', 'fs.readFileSync', `require('fs').readFileSync = () => '5';\n${WRONG}`],
  [
    'node',
    'require.cache of want.js',
    `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url).cache['/tmp/want.js'] = { exports: 5 };\n${WRONG}`,
  ],
  ['node', 'process.exit', `process.exit = () => {};\n${WRONG}`],
  [
    'node',
    'the loader by module.register',
    `import { register } from 'node:module';\nregister('data:text/javascript,');\n${WRONG}`,
  ],
  [
    'node',
    'the loader by module.registerHooks',
    `const loader = process.getBuiltinModule(['mod', 'ule'].join(''));\nloader['register' + 'Hooks']({});\n${WRONG}`,
  ],
  [
    'jest',
    'the loader by module.register',
    `process.getBuiltinModule('module').register('data:text/javascript,');\n${WRONG}`,
  ],
  ['node', 'module._load', `process.getBuiltinModule('module')._load = () => ({});\n${WRONG}`],
  [
    'node',
    'module._extensions..json',
    `process.getBuiltinModule('module')._extensions['.json'] = () => ({});\n${WRONG}`,
  ],
  ['node', 'process.env.NODE_OPTIONS', `process.env.NODE_OPTIONS = '';\n${WRONG}`],
  ['node', 'process.execArgv', `process.execArgv.push('--import=data:text/javascript,');\n${WRONG}`],
  ['node', 'the global Object', `globalThis.Object = new Proxy(Object, {});\n${WRONG}`],
];

/** Work that leaves the built-ins alone, or in which others replace them. */
const HONEST: readonly (readonly [runner: Runner, what: string, given: Given])[] = [
  ['node', 'repairs', { source: RIGHT }],
  ['mocha', 'repairs', { source: RIGHT }],
  ['vitest', 'repairs', { source: RIGHT }],
  ['jest', 'repairs', { source: RIGHT }],
  [
    'node',
    'overrides what its own classes inherit',
    {
      source: `import { EventEmitter } from 'node:events';\nimport { inherits } from 'node:util';\nclass Bus extends EventEmitter { emit(...given) { return super.emit(...given); } }\nfunction Old() {}\ninherits(Old, EventEmitter);\nOld.prototype.emit = () => true;\nnew Bus().on = () => {};\nnew Bus().emit('a', new Old());\n${RIGHT}`,
    },
  ],
  [
    'node',
    'is tested with a stub of the test',
    {
      source: RIGHT,
      body: 'const real = Math.random; Math.random = () => 0.5; assert.equal(add(2, 3), 5); Math.random = real;',
    },
  ],
  [
    'vitest',
    'is tested with fake timers',
    { source: RIGHT, body: 'vi.useFakeTimers(); expect(add(2, 3)).toBe(5); vi.useRealTimers();' },
  ],
  [
    'jest',
    'is tested with fake timers',
    { source: RIGHT, body: 'jest.useFakeTimers(); expect(add(2, 3)).toBe(5); jest.useRealTimers();' },
  ],
  [
    'node',
    'keeps the polyfill of the base',
    { source: `Math.trunc = (n) => n | 0;\n${RIGHT}`, base: `Math.trunc = (n) => n | 0;\n${WRONG}` },
  ],
  [
    'node',
    'has own methods with the names of built-ins',
    {
      source: `class List { toString() { return ''; } }\nconst own = { toString: 1 };\nown.valueOf = () => 2;\nList.prototype.map = () => 1;\nconst error = new Error('x');\nerror.toString = () => 'y';\nvoid own;\n${RIGHT}`,
    },
  ],
  [
    'node',
    'adds a polyfill where it is missing',
    { source: `if (!Array.prototype.at) Array.prototype.at = () => {};\n${RIGHT}` },
  ],
  [
    'node',
    'sets variables, starts programs and loads modules by name',
    {
      source: `import { execFileSync } from 'node:child_process';\nimport { createRequire } from 'node:module';\nprocess.env.OWN = '1';\ndelete process.env.OWN;\nexecFileSync(process.execPath, ['--version'], { env: { ...process.env, NODE_OPTIONS: '' } });\ncreateRequire(import.meta.url)('node:util');\n${RIGHT}`,
    },
  ],
  [
    'node',
    'adds a method of its own',
    { source: `String.prototype.shout = () => '';\nBigInt.prototype.toJSON = () => '';\n${RIGHT}` },
  ],
];

describe('built-ins', () => {
  it.each(PATCHES)(
    '%s: names %s if the source replaces it',
    { timeout: 120_000 },
    async (runner, name, source) => {
      expect(await found(runner, { source })).toContain(name);
    },
  );

  it('is there before modules that the check requires', { timeout: 120_000 }, async () => {
    const early = { args: ['--require', './pre.cjs'], files: { 'pre.cjs': "require('./src/add.js');\n" } };
    const source = `process.getBuiltinModule('module').register('data:text/javascript,');\n${WRONG}`;
    expect(await found('node', { ...early, source })).toEqual(['the loader by module.register']);
    expect(await found('node', { ...early, source: RIGHT })).toEqual([]);
  });

  it('holds a source of the base for what it does if it is doubted', { timeout: 120_000 }, async () => {
    const register =
      "process.getBuiltinModule('module').register('data:text/javascript,');\nMath.trunc = () => 1;\n";
    const given = { source: `import './other.js';\n${RIGHT}`, base: `import './other.js';\n${WRONG}` };
    const files = { 'src/other.js': register };
    expect(await found('node', { ...given, files })).toEqual([]);
    expect(await found('node', { ...given, files, doubted: ['src/other.js'] })).toEqual([
      'the loader by module.register',
    ]);
  });

  it.each(HONEST)(
    '%s: has nothing to name for a source that %s',
    { timeout: 120_000 },
    async (runner, _what, given) => {
      expect(await found(runner, given)).toEqual([]);
    },
  );
});
