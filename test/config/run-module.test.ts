import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLiving, knownProcess } from '../../src/platform/processes/descendants.ts';
import { runModule, type ModuleAnswer } from '../../src/config/run-module.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

const NEVER_MS = 3_000;

async function answerOf(text: string, name = 'ralph.config.mjs', limitMs = 60_000): Promise<ModuleAnswer> {
  const folder = temporaryFolder();
  writeFiles(folder, { [name]: text });
  return runModule(join(folder, name), limitMs);
}

describe('a configuration module', () => {
  it.each([
    [
      'a value',
      'export default { maxIterations: 2, note: undefined };',
      { maxIterations: 2, note: undefined },
    ],
    ['a promise', 'export default Promise.resolve({ maxIterations: 2 });', { maxIterations: 2 }],
    ['a BigInt', 'export default { maxIterations: 3n };', { maxIterations: 3n }],
    ['nothing', 'export const other = 1;', undefined],
    [
      'a value, and leaves a timer',
      'setInterval(() => {}, 1000); export default { omega: 1 };',
      { omega: 1 },
    ],
    [
      'a value, and replaces JSON',
      'globalThis.JSON = { stringify: () => 1 }; export default { omega: 1 };',
      { omega: 1 },
    ],
  ])('exports %s', async (_, text, data) => {
    expect(await answerOf(text)).toEqual({ data });
  });

  it('may be TypeScript, and has the environment of ralph', async () => {
    const text = 'const home: string | undefined = process.env.PATH;\nexport default { home };\n';
    expect(await answerOf(text, 'ralph.config.ts')).toEqual({ data: { home: process.env['PATH'] } });
  });

  it.each([
    ['throws', "throw new Error('no luck');", 'no luck'],
    [
      'rejects a promise that nothing awaits',
      "Promise.reject(new Error('no luck')); export default {};",
      /does not catch: no luck/,
    ],
    ['exports a function', 'export default () => ({});', /could not be cloned/],
    ['ends the process', 'process.exit(0);', 'it called process.exit'],
    ['is killed', "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});", 'SIGKILL ended it'],
    [
      'waits for what never happens',
      'await new Promise(() => {}); export default {};',
      'it waits for what never happens',
    ],
  ])('that %s is refused with the reason', async (_, text, problem) => {
    expect(await answerOf(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it.each([
    ['an endless loop', 'while (true);'],
    ['an endless wait', 'await new Promise(() => setInterval(() => {}, 1000));'],
    ['an endless program', "import { execSync } from 'node:child_process'; execSync('sleep 300');"],
  ])('with %s is ended, with all that it started', async (_, text) => {
    const folder = temporaryFolder();
    const noted = `import { writeFileSync } from 'node:fs'; writeFileSync('${folder}/id', String(process.pid));\n`;
    const answer = await answerOf(noted + text, undefined, NEVER_MS);
    expect(answer).toEqual({ problem: 'it had not ended after 3 s' });
    const left = knownProcess(Number(readFileSync(join(folder, 'id'), 'utf8')));
    // The kernel takes a moment to end a process.
    await expect.poll(() => left !== undefined && isLiving(left)).toBe(false);
  });
});
