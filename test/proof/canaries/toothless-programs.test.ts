import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSilentProgram, findToothlessPrograms } from '../../../src/proof/canaries/toothless-programs.ts';
import { createCheck } from '../../../src/tools.ts';
import type { CheckRequest } from '../../../src/ports/evaluation.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const RIGHT = 'module.exports = { add: (a, b) => a + b, each: (all, visit) => all.forEach(visit) };\n';
const ASSERTING =
  "const assert = require('node:assert/strict');\nconst { add } = require('../src/add.js');\nassert.equal(add(2, 3), 5);\nassert.equal(add(0, 0), 0);\n";
const DECIDING = "const { add } = require('../src/add.js');\nif (add(2, 3) !== 5) process.exit(1);\n";
const TAPE =
  "const test = require('tape');\nconst { add } = require('../src/add.js');\ntest('adds', (t) => {\n  t.equal(add(2, 3), 5);\n  t.end();\n});\n";
const VISITING =
  "const test = require('tape');\nconst { each } = require('../src/add.js');\ntest('visits', (t) => {\n  each([5], (n) => {\n    t.equal(n, 5);\n  });\n  t.end();\n});\n";

function commandFor(script: string, source: string): [ReturnType<typeof createCheck>, CheckRequest] {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': {},
    'qa/all.js': script,
    'qa/unused.js': ASSERTING,
    'src/add.js': source,
  });
  linkModules(root, ['tape']);
  const { signal } = new AbortController();
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal,
  };
  return [createCheck(planFor('command', { args: ['node qa/all.js'] })), request];
}

async function toothless(script: string, source: string): Promise<string[]> {
  const [check, request] = commandFor(script, source);
  const found = await findToothlessPrograms(check, { request, judges: ['qa/unused.js', 'qa/all.js'] });
  expect(readFileSync(join(request.root, 'qa/all.js'), 'utf8')).toBe(script);
  return found.map(({ file }) => file);
}

test.each([
  ['assert', ASSERTING, "require('node:assert').strict.equal = () => {};\n"],
  ['an exit', DECIDING, 'process.exit = () => {};\n'],
  ['tape', TAPE, "require('tape').Test.prototype.equal = function () { this.pass(); };\n"],
])(
  'names a program whose comparisons the source disables: %s',
  { timeout: 60_000 },
  async (_what, script, trick) => {
    expect(await toothless(script, trick + RIGHT)).toEqual(['qa/all.js']);
    expect(await toothless(script, RIGHT)).toEqual([]);
  },
);

test('names a test of a program whose comparisons never run', { timeout: 60_000 }, async () => {
  const failed = [{ file: 'qa/all.js', line: 5 }];
  const silent = RIGHT.replace('all.forEach(visit)', 'undefined');
  expect(await findSilentProgram(...commandFor(VISITING, silent), failed)).toContain(
    'none of its comparisons runs',
  );
  expect(await findSilentProgram(...commandFor(VISITING, RIGHT), failed)).toBeUndefined();
  expect(
    await findSilentProgram(...commandFor(VISITING, silent), [{ file: 'qa/all.js', line: 1 }]),
  ).toBeUndefined();
});
