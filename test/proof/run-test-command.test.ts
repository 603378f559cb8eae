import { expect, it } from 'vitest';
import { runTestCommand } from '../../src/proof/run-test-command.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

/** Why `command` does not confirm a tree with these files; undefined if it does. */
async function detailOf(
  command: string,
  files: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': {}, ...files });
  const plan = {
    repository: root,
    packageDir: '.',
    notes: [],
    checks: [],
    packageManager: { name: 'npm', installCommand: 'npm ci' },
  } as const;
  const failure = await runTestCommand(
    { command, cwd: '.', setup: [] },
    {
      settings: { plan, checks: [], cacheDir: root, checkTimeoutMs: 60_000 },
      request: { root, signal: new AbortController().signal, confirm: true },
      timeoutMs: 60_000,
      check: 'tests',
      pristine: undefined,
      openBase: undefined,
    },
  );
  return failure?.detail;
}

it('names the error by which the test command ended', async () => {
  expect(await detailOf('node a.js', { 'a.js': "require('./gone.js');\n" })).toBe(
    "Every check is green, but `node a.js` exited 1: Cannot find module './gone.js'.",
  );
});

it('names no error where the command says nothing', async () => {
  expect(await detailOf('node a.js', { 'a.js': 'process.exitCode = 3;\n' })).toBe(
    'Every check is green, but `node a.js` exited 3.',
  );
});

it('is content with a command that succeeds', async () => {
  expect(await detailOf('node a.js', { 'a.js': '' })).toBeUndefined();
});
