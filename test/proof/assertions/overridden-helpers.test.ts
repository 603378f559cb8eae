import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOverriddenHelper } from '../../../src/proof/assertions/overridden-helpers.ts';
import { isIndependent } from '../../../src/proof/assertions/independent-helpers.ts';
import { reachesAnyModule } from '../../../src/proof/assertions/reaching-sources.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const ADD = 'exports.add = (a, b) => a + b;\n';
const BROKEN = 'exports.add = (a, b) => a - b;\n';

const SAME = 'exports.same = require("assert").strictEqual;\n';
const HEAD =
  "const { test } = require('node:test');\nconst { add } = require('../lib/add.js');\nconst h = require('./helper');\n";

interface Given {
  readonly base?: string;
  readonly helper?: string;
  readonly statements?: string;
}

/** The sentence on a change of `add`, whose test judges by a helper of the tests and passes before and after it. */
async function found(add: string, { base = ADD, helper = SAME, statements }: Given = {}) {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': {},
    'lib/add.js': add,
    'test/helper.js': helper,
    'test/add.test.js': `${HEAD}test('adds', () => ${statements === undefined ? 'h.same(add(5, 5), 10)' : `{ ${statements} }`});\n`,
  });
  const check = createCheck(planFor('node'));
  const { signal } = new AbortController();
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000, signal },
  };
  const { tests } = await check.run({ ...request, files: ['test/add.test.js'] });
  expect(tests).toMatchObject([{ status: 'passed' }]);
  return findOverriddenHelper(check, {
    ...{ request, before: tests, now: tests, sources: ['lib/add.js'] },
    baseText: () => Promise.resolve(base),
    isJudge: (path) => path.startsWith('test/'),
  });
}

/** Reaches modules that it does not name. */
const REACHING = "require('pa' + 'th');\n";
const STRICT =
  "exports.add = (a, b) => { if (typeof a !== 'number') throw new TypeError(); return a + b; };\n";

describe('a helper of the tests', () => {
  it.each([
    [
      'by the cache of modules',
      "const h = require('path').join(__dirname, '../test/helper.js');\nrequire.cache[h] = { id: h, filename: h, loaded: true, exports: { same() {} } };\n",
    ],
    ['by a computed name', "require('../te' + 'st/helper').same = () => {};\n"],
    ['by its name', "require('../test/helper').same = () => {};\n"],
  ])('is named that a changed source turns off %s', async (_, act) => {
    const given = 'passes with a wrong value for h: lib/add.js turns it off';
    expect(await found(BROKEN + act)).toBe(
      `"adds" of test/add.test.js ${given}, by which the test judges. Sources leave the helpers of tests alone.`,
    );
    const statements = 'const got = add(5, 5); h.same(got, 10); h.same(add(1, 2), 3);';
    expect(await found(BROKEN + act, { statements })).toContain(given);
  });

  it.each([
    ['source loads what it computes', ADD + REACHING, {}],
    ['helper only sets up', BROKEN + REACHING, { helper: 'exports.same = () => {};\n' }],
    [
      'helper calls the product, which now throws for what is no number',
      STRICT + REACHING,
      {
        helper: "const { add } = require('../lib/add');\nexports.sums = (a) => { add(a, 1); };\n".replace(
          'add(a, 1);',
          "require('assert').throws(() => add(a, 1));",
        ),
        base: STRICT.replace("typeof a !== 'number'", 'a === null'),
        statements: 'h.sums(null);',
      },
    ],
    [
      'helper is given the product',
      STRICT + REACHING,
      {
        helper: "exports.rejects = (f, a) => require('assert').throws(() => f(a));\n",
        base: STRICT.replace("typeof a !== 'number'", "a === 'x'"),
        statements: "h.rejects(add, 'x');",
      },
    ],
    [
      'helper prepares what the product reads',
      `const { existsSync } = require('fs');\n${ADD}exports.load = (at) => existsSync(at);\n${REACHING}`,
      {
        helper: `const { mkdirSync, rmSync } = require('fs');
exports.folder = (name) => {
  rmSync(__dirname + '/data', { recursive: true, force: true });
  mkdirSync(__dirname + '/' + name, { recursive: true });
};\n`,
        base: `const { statSync } = require('fs');\n${ADD}exports.load = (at) => !!statSync(at);\n`,
        statements: "h.folder('data', true); require('../lib/add.js').load(__dirname + '/data');",
      },
    ],
  ] as [string, string, Given][])('is not named where the %s', async (_, add, given) => {
    expect(await found(add, given)).toBeUndefined();
  });
});

describe('a source', () => {
  it.each([
    ['require.cache;', true],
    ["const { cache } = require; require('a');", true],
    ["const r = require; r('a');", true],
    ["require('module')._load;", true],
    ["import { createRequire } from 'node:module';", true],
    ['module.parent.children;', true],
    ['module?.children;', true],
    ["module['constructor'];", true],
    ['const { parent } = module;', true],
    ['process.mainModule;', true],
    ["import(name + '.js');", true],
    ["eval('1');", true],
    ["new Function('return 1')();", true],
    ['this._cache = new Map(); this.load = () => self._load;', false],
    ['if (require.main === module) main();', false],
    ["if (typeof require !== 'undefined') require('a');", false],
    ["require.resolve('a');", false],
    ['// require the cache of modules, eval() it\nconst text = "we require cache";', false],
    ['module.exports = { require: 1 };', false],
    ['define(function (require, exports, module) { require("a"); });', false],
    ["import a from './a.js'; import('./b.js');", false],
    ['function Function2() {} class A extends Function2 {}', false],
  ])('reaches any module by %s: %s', (text, expected) => {
    expect(reachesAnyModule(text, 'src/a.js')).toBe(expected);
  });
});

describe('a helper that works without the product', () => {
  it.each([
    ["const assert = require('assert');\nexports.same = assert.equal;\n", true],
    ["import { expect } from 'chai';\nexport const same = (a, b) => expect(a).to.equal(b);\n", true],
    ["import { same } from './other.js';\nexport { same };\n", true],
    ["import { parse } from './reaching.js';\nexport { parse };\n", false],
    ["import { parse } from '../src/parse.js';\nexport { parse };\n", false],
    ["import { parse } from '@/parse';\nexport { parse };\n", false],
    ["import request from 'supertest';\nexport { request };\n", false],
    ["import { spawnSync } from 'node:child_process';\nexport { spawnSync };\n", false],
    ['export const get = (path) => fetch(path);\n', false],
    ["export const load = (name) => require('../' + name);\n", false],
    ['let app;\nexport const use = (one) => (app = one);\n', false],
    ['export const same = (a, b => {\n', false],
  ])('is known by %s: %s', (helper, expected) => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': {},
      'src/parse.js': 'export const parse = (a) => a;\n',
      'test/helper.js': helper,
      'test/other.js': 'export const same = (a, b) => a === b;\n',
      'test/reaching.js': "export { parse } from '../src/parse.js';\n",
    });
    const judges = { root, isJudge: (path: string) => path.startsWith('test/') };
    expect(isIndependent('test/helper.js', judges)).toBe(expected);
  });
});
