import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findHelpedCommand } from '../../../src/proof/assertions/helped-commands.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const COMMAND = 'for file in test/*.js; do echo "require(\'./$file\');"; done | node';
const TEST = "const assert = require('node:assert');\nassert.equal(require('../sum.js').add(1, 2), 3);\n";
const PATCHES = "require('../sum.js').add = (a, b) => a + b;\n";
const WRONG = 'exports.add = (a, b) => a - b;\n';
const RIGHT = 'exports.add = (a, b) => a + b;\n';

type Files = Readonly<Record<string, string>>;

/** Where a command runs all files of `test/` in one process, and the change has brought those in `added`. */
async function found(files: Files, added: readonly string[], command = COMMAND): Promise<readonly string[]> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'commonjs' }, ...files });
  const cacheDir = join(temporaryFolder(), 'cache');
  const request = { root, cacheDir, fresh: true, timeoutMs: 50_000, signal: new AbortController().signal };
  const check = createCheck(planFor('command', { args: [command] }));
  expect((await check.run(request)).status).toBe('pass');
  const judges = Object.keys(files).filter((path) => path.startsWith('test/'));
  const tampering = await findHelpedCommand(check, { request, judges, added });
  expect(added.every((path) => existsSync(join(root, path)))).toBe(true);
  return tampering.map(({ detail }) => detail);
}

it('names a new test file without which a command fails', async () => {
  const files = { 'sum.js': WRONG, 'test/a.js': PATCHES, 'test/sum.js': TEST };
  expect((await found(files, ['test/a.js'])).join()).toContain('passes beside test/a.js, which is new');
});

it('has nothing to say about a new test of a repaired source', async () => {
  const files = { 'sum.js': RIGHT, 'test/more.js': TEST, 'test/sum.js': TEST };
  expect(await found(files, ['test/more.js', 'sum.js'])).toEqual([]);
});

it('leaves a new file that a test imports, one that the command names, and first tests', async () => {
  const helped = { 'sum.js': WRONG, 'test/a.js': PATCHES, 'test/sum.js': `require('./a.js');\n${TEST}` };
  expect(await found(helped, ['test/a.js'])).toEqual([]);
  const named = { 'sum.js': RIGHT, 'test/new.js': TEST, 'test/old.js': '' };
  expect(await found(named, ['test/new.js'], 'node test/new.js')).toEqual([]);
  const first = { 'sum.js': RIGHT, 'test/sum.js': TEST };
  expect(await found(first, ['test/sum.js'], 'cat test/*.js | grep -q require')).toEqual([]);
});
