import { describe, expect, test } from 'vitest';
import { runCopied } from '../../../src/checks/narrow/copied-files.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { checkPlan, scriptedCheck, testReport } from '../scripted-check.ts';

const FILE = 'add.test.ts';
const TEST = "test('adds', () => expect(add(2, 3)).toBe(5));\n";

/** The request that a run of the file with two copies makes; undefined if no copies are made. */
async function requestFor(plan: Partial<CheckPlan>, files: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder();
  writeFiles(root, { [FILE]: TEST, ...files });
  const check = scriptedCheck(checkPlan(plan), testReport({ [`${FILE} > adds`]: 'passed' }));
  const { signal } = new AbortController();
  const request = { root, cacheDir: temporaryFolder(), fresh: true, timeoutMs: 1_000, signal };
  await runCopied(check, { ...request, files: [FILE] }, 2);
  return check.requests[0];
}

describe('copies of a test file', () => {
  test('run beside it in one start', async () => {
    expect((await requestFor({}))!.files).toEqual([
      expect.stringMatching(/^add-\w+\.test\.ts$/),
      expect.stringMatching(/^add-\w+\.test\.ts$/),
      FILE,
    ]);
  });

  test.each([['--no-isolate'], ['--isolate=false']])(
    'load what they import anew, although the script of Vitest has %s',
    async (word) => expect(await requestFor({ args: [word] })).toMatchObject({ isolated: true }),
  );

  test.each([
    ['Vitest, by its configuration', { config: 'vitest.config.ts' }],
    ['Vitest, by another option', { args: ['--poolOptions.forks.isolate=false'] }],
    ['node:test', { tool: 'node', args: ['--test-isolation=none'] }],
    ['Mocha', { tool: 'mocha' }],
  ] satisfies [string, Partial<CheckPlan>][])(
    'are not made where files share modules: %s',
    async (_, plan) => {
      const files = { 'vitest.config.ts': 'export default { test: { isolate: false } };\n' };
      expect(await requestFor(plan, files)).toBeUndefined();
    },
  );

  test('are made of a file with inline snapshots, and not of one whose snapshots lie in a file of its name', async () => {
    const inline = `${TEST}expect(add(1, 1)).toMatchInlineSnapshot('2');\n`;
    expect(await requestFor({}, { [FILE]: inline })).toBeDefined();
    expect(await requestFor({}, { [FILE]: `${inline}expect(1).toMatchSnapshot();\n` })).toBeUndefined();
  });
});
