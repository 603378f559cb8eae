import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOverriddenHelper } from '../../../src/proof/assertions/overridden-helpers.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const ADD = 'exports.add = (a, b) => a + b;\n';
const BROKEN = 'exports.add = (a, b) => a - b;\n';

/** The sentence on a change of `add`, whose test compares by a helper of the tests and passes before and after it. */
async function found(add: string, helper = 'exports.same = require("assert").strictEqual;\n') {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': {},
    'lib/add.js': add,
    'test/helper.js': helper,
    'test/add.test.js':
      "const { test } = require('node:test');\nconst { add } = require('../lib/add.js');\nconst h = require('./helper');\ntest('adds', () => h.same(add(5, 5), 10));\n",
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
    baseText: () => Promise.resolve(ADD),
    isJudge: (path) => path.startsWith('test/'),
  });
}

describe('a helper of the tests', () => {
  it.each([
    [
      'by the cache of modules',
      "const h = require('path').join(__dirname, '../test/helper.js');\nrequire.cache[h] = { id: h, filename: h, loaded: true, exports: { same() {} } };\n",
    ],
    ['by a computed name', "require('../te' + 'st/helper').same = () => {};\n"],
    ['by its name', "require('../test/helper').same = () => {};\n"],
  ])('is named that a changed source turns off %s', async (_, act) => {
    expect(await found(BROKEN + act)).toMatch(
      /^"adds" of test\/add\.test\.js passes .*: lib\/add\.js turns h off/,
    );
  });

  it.each([
    ['loads what it computes', `${ADD}require('pa' + 'th');\n`, undefined],
    ['only sets up', `${BROKEN}require('pa' + 'th');\n`, 'exports.same = () => {};\n'],
  ])('is not named where the source or helper %s', async (_, add, helper) => {
    expect(await found(add, helper)).toBeUndefined();
  });
});
