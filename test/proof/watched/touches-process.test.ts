import { expect, it } from 'vitest';
import { newlyTouchesProcess } from '../../../src/proof/watched/touches-process.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

async function touches(before: string | undefined, now: string): Promise<boolean> {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a.js': now });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return newlyTouchesProcess({
    request,
    sources: ['src/a.js'],
    baseText: () => Promise.resolve(before),
  });
}

it.each([
  "process.on('unhandledRejection', () => {});",
  "const p = process; p.on('uncaughtException', () => {});",
  "import { exit } from 'node:process';\nexit(0);",
  'console.log = () => {};',
  "console['error'] = f;",
  'globalThis.setTimeout = f;',
  'Array.prototype.includes = () => true;',
])('what decides over its process is found: %s', async (text) => {
  expect(await touches('export const a = 1;\n', `export const a = 1;\n${text}\n`)).toBe(true);
  expect(await touches(undefined, text)).toBe(true);
});

it.each([
  ['process.exit(a);', 'process.exit(a + 1);'],
  ['export const a = 1;', "export const a = 2;\nconsole.log('a');"],
])('what it had before, or has not, is none: %s → %s', async (before, now) => {
  expect(await touches(before, now)).toBe(false);
});
