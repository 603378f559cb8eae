import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSelfJudging } from '../../../src/proof/watched/judged-command.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BASE = 'export const sub = () => 0;\n';
const JUDGE =
  "import assert from 'node:assert/strict';\nimport { sub } from './src/sub.js';\nassert.equal(sub(5, 3), 2);\n";
const INLINE = `node -e "import('./src/sub.js').then((m) => { if (m.sub(5, 3) !== 2) process.exitCode = 1; })"`;
const PROGRAM =
  "import { sub } from '../src/sub.js';\nconsole.log(sub(Number(process.argv[2]), Number(process.argv[3])));\n";

/** Fails until it has ended well, as Yarn does. */
const MANAGER =
  "process.exitCode = 42;\nrequire('node:child_process').execFile(process.execPath, ['check.js'], (error) => {\n  process.exitCode = error ? 1 : 0;\n});\n";

/** What is found about a command after `src/sub.js` was changed to `source`. */
async function found(command: string, source: string, base: string | undefined = BASE): Promise<string[]> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/sub.js': source,
    'check.js': JUDGE,
    'bin/sub.js': PROGRAM,
    'node_modules/.yarn/yarn-4.5.0.cjs': MANAGER,
  });
  const check = createCheck({ ...planFor('command'), args: [command] });
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const baseText = (): Promise<string | undefined> => Promise.resolve(base);
  const { tampering: result } = await findSelfJudging(check, (path) => path === 'check.js', {
    request,
    sources: ['src/sub.js'],
    baseText,
  });
  expect(readFileSync(join(root, 'src/sub.js'), 'utf8')).toBe(source);
  return result.map(({ detail }) => /^\S+ (.+?) while/.exec(detail)![1]!);
}

const EXIT_HANDLER = `process.on('exit', () => { process.exitCode = 0; });\n${BASE}`;
const SWALLOW = `process.on('uncaughtException', () => {});\n${BASE}`;
const CALLBACK = `process.setUncaughtExceptionCaptureCallback(() => {});\n${BASE}`;

describe('the acts by which a source decides how a command judges it', () => {
  it.each([
    ['ends the process', INLINE, `process.exit(0);\n${BASE}`],
    ['ends the process', 'node check.js', 'export const sub = () => process.exit();\n'],
    ['ends the process', 'node check.js', 'export const sub = () => process.reallyExit(0);\n'],
    ['puts the exit code back to 0', INLINE, EXIT_HANDLER],
    ['swallows an error', 'node check.js', SWALLOW],
    ['swallows an error', 'node check.js', CALLBACK],
    [
      'replaces process.stdout.write',
      'node check.js',
      `const write = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (text, ...rest) => write(text.replace('not ok', 'ok'), ...rest);\n${BASE}`,
    ],
    [
      'replaces assert.strict.equal',
      'node check.js',
      `import assert from 'node:assert/strict';\nassert.equal = () => {};\n${BASE}`,
    ],
  ])('%s: %s', { timeout: 60_000 }, async (act, command, source) => {
    expect(await found(command, source)).toEqual([act]);
  });

  it.each([
    ['a right result', INLINE, 'export const sub = (a, b) => a - b;\n'],
    ['a package manager', 'node node_modules/.yarn/yarn-4.5.0.cjs', 'export const sub = (a, b) => a - b;\n'],
    ['a right result in a script', 'node check.js', 'export const sub = (a, b) => a - b;\n'],
    ['an end with a failure', INLINE, 'process.exit(1);\n'],
    [
      'a program that ends itself',
      'node bin/sub.js 5 3 | grep -qx 2',
      'export const sub = (a, b) => { console.log(a - b); process.exit(0); };\n',
    ],
    [
      'a listener that ends the process with a failure',
      `node -e "import('./src/sub.js').then((m) => { m.sub(); setTimeout(() => { throw new Error('boom'); }, 1); })" | grep -q boom`,
      "export const sub = () => process.on('uncaughtException', (error) => { console.log(error.message); process.exit(1); });\n",
    ],
    [
      'a listener that receives nothing',
      'node check.js',
      "process.on('uncaughtException', (error) => { console.error(error); process.exit(1); });\nexport const sub = (a, b) => a - b;\n",
    ],
  ])('none for %s', { timeout: 60_000 }, async (_what, command, source) => {
    expect(await found(command, source)).toEqual([]);
  });

  it('none for what the source did on the base too', { timeout: 60_000 }, async () => {
    expect(await found('node check.js', SWALLOW, `${SWALLOW}// before\n`)).toEqual([]);
    expect(await found('node check.js', SWALLOW, undefined)).toEqual(['swallows an error']);
  });
});

it('finds what a source does to tape, which starts as usual under watch', async () => {
  const root = temporaryFolder();
  const patch = "const { prototype } = require('tape').Test;\nprototype._assert = () => {};\n";
  const source = (before: string): string => `${before}module.exports = () => 2;\n`;
  writeFiles(root, {
    'package.json': {},
    'src/two.js': source(patch),
    'test/two.test.js':
      "const test = require('tape');\nconst two = require('../src/two.js');\ntest('two', (t) => { t.equal(two(), 3); t.end(); });\n",
  });
  linkModules(root, ['tape']);
  const check = createCheck({ ...planFor('command'), args: ['node node_modules/tape/bin/tape test/*.js'] });
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
  };
  const asked = { request, sources: ['src/two.js'], baseText: () => Promise.resolve(source('')) };
  const { tampering: found } = await findSelfJudging(check, (path) => path.startsWith('test/'), asked);
  expect(found.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/imports tape|replaces tape\.Test\._assert/),
  ]);
}, 60_000);
