import { createServer, type AddressInfo, type Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Trajectory, Verdict } from '../../src/schema/generated.ts';
import { ralphRun } from '../support/ralph.ts';
import { fingerprintOf, repositoryWith, temporaryFolder, type Files } from '../support/repositories.ts';

const PACKAGE = { name: 'subject', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } };
const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const ADD = 'export const add = (a, b) => a - b;\n';
const ADD_TEST = `${HEAD}import { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;

interface Searched {
  readonly exitCode: number | null;
  readonly verdict: Verdict;
  readonly trajectories: readonly Trajectory[];
  /** True if any file of the repository differs from before. */
  readonly changed: boolean;
}

/** Runs the search in a repository with these files. */
async function search(files: Files, args: readonly string[] = []): Promise<Searched> {
  const root = repositoryWith({ 'package.json': PACKAGE, ...files });
  const before = fingerprintOf(root);
  const { exitCode, verdict } = await ralphRun(root, ['--actor', 'search', '--max-iterations', '1', ...args]);
  const trajectories = Array.from({ length: verdict.iterations }, (_, index) => {
    const path = `.aiwg/ralph/loops/${verdict.loop_id}/attempts/00${index + 1}/trajectory.jsonl`;
    return readFileSync(join(root, path), 'utf8');
  });
  return {
    exitCode,
    verdict,
    trajectories: trajectories.map((text) => JSON.parse(text.split('\n')[0]!) as Trajectory),
    changed: fingerprintOf(root) !== before,
  };
}

/** The message of the search for input that it refuses. */
async function refusalOf(files: Files, args: readonly string[] = []): Promise<string> {
  const { exitCode, changed, trajectories } = await search(files, args);
  expect([exitCode, changed]).toEqual([1, false]);
  expect(trajectories[0]).toMatchObject({ outcome: 'gave_up', ruled_out: { tried: 0 } });
  return trajectories[0]!.message;
}

describe('the offline search', { timeout: 180_000 }, () => {
  it('repairs a wrong operator (control for the refusals below)', async () => {
    const { exitCode, verdict, changed } = await search({ 'src/add.js': ADD, 'test/add.test.js': ADD_TEST });
    expect([exitCode, verdict.verified, changed]).toEqual([0, true, true]);
  });

  it('refuses a missing package', async () => {
    const test = `${HEAD}import pad from 'no-such-package-here';\ntest('pads', () => assert.equal(pad('a'), ' a'));\n`;
    expect(await refusalOf({ 'test/pad.test.js': test })).toMatch(
      /^The environment, not the code, is at fault: Cannot find package 'no-such-package-here'/,
    );
  });

  it('refuses a port that is in use', async () => {
    const port = await takenPort();
    const files = {
      'src/serve.js':
        "import { createServer } from 'node:net';\nexport function serve(port) {\n  return new Promise((resolve, reject) => {\n    const server = createServer().on('error', reject).listen(port, '127.0.0.1', () => resolve(server));\n  });\n}\n",
      'test/serve.test.js': `${HEAD}import { serve } from '../src/serve.js';\ntest('serves', async () => { (await serve(${port})).close(); });\n`,
    };
    expect(await refusalOf(files, ['--allow-network'])).toMatch(
      /^The environment, not the code, is at fault: .*EADDRINUSE/,
    );
  });

  it('repairs a code failure despite an environment failure in another test', async () => {
    const { verdict, trajectories } = await search({
      'src/add.js': ADD,
      'test/add.test.js': ADD_TEST,
      'test/pad.test.js': `${HEAD}import pad from 'no-such-package-here';\ntest('pads', () => assert.equal(pad('a'), ' a'));\n`,
    });
    expect(verdict.reward).toBeGreaterThan(verdict.baseline_reward);
    expect(trajectories[0]).toMatchObject({ outcome: 'edited' });
    expect(verdict.reason).toMatch(/test\/pad\.test\.js/);
  });

  it('refuses a flaky test', async () => {
    const folder = temporaryFolder();
    const count = join(folder, 'count');
    const flaky =
      `${HEAD}import { appendFileSync, readFileSync } from 'node:fs';\nimport { add } from '../src/add.js';\n` +
      `test('adds', () => {\n  appendFileSync('${count}', 'x');\n  assert.equal(add(2, 3) + (readFileSync('${count}').length % 2), 5);\n});\n`;
    const files = { 'src/add.js': ADD.replace('-', '+'), 'test/add.test.js': flaky };
    expect(await refusalOf(files, ['--sandbox-write', folder])).toBe(
      '"adds" passed when test/add.test.js ran again unchanged: flaky, or dependent on other test files.',
    );
  });

  it('ends at the time budget if the suite is too slow', async () => {
    const slow = ADD_TEST.replace(
      '() =>',
      'async () => { await new Promise((go) => setTimeout(go, 60_000));',
    ).replace('5));', '5); });');
    const { exitCode, verdict, changed, trajectories } = await search(
      { 'src/add.js': ADD, 'test/add.test.js': slow },
      ['--check-timeout', '2s', '--max-time', '15s', '--max-iterations', '5'],
    );
    expect([exitCode, verdict.status, changed]).toEqual([3, 'budget', false]);
    expect(trajectories.at(-1)!.message).toMatch(/^(Stopped before an edit was accepted|No edit found)/);
  });

  it.each([
    [
      'a shell script',
      'src/add.sh',
      'echo $(($1 - $2))\n',
      "String(execFileSync('sh', ['src/add.sh', '2', '3'])).trim(), '5'",
    ],
    ['data', 'src/add.json', '{ "sum": -1 }\n', "JSON.parse(readFileSync('src/add.json', 'utf8')).sum, 5"],
  ])('refuses a bug in %s', async (_, file, text, compared) => {
    const test = `${HEAD}import { execFileSync } from 'node:child_process';\nimport { readFileSync } from 'node:fs';\ntest('adds', () => assert.equal(${compared}));\n`;
    expect(await refusalOf({ [file]: text, 'test/add.test.js': test })).toBe(
      'test/add.test.js imports no JavaScript or TypeScript source that may be changed, so there is nothing to search.',
    );
  });

  it('refuses generated and minified files, each with the reason', async () => {
    const packed = Array.from({ length: 100 }, (_, index) => `export const f${index}=(a,b)=>a-b;`).join('');
    const test = `${HEAD}import { add } from '../src/add.js';\nimport { f7 } from '../src/packed.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\ntest('adds more', () => assert.equal(f7(2, 3), 5));\n`;
    const files = {
      'src/add.js': `// @generated by a tool\n${ADD}`,
      'src/packed.js': `${packed}\n`,
      'test/add.test.js': test,
    };
    expect(await refusalOf(files)).toMatch(
      /there is nothing to search: src\/add\.js is generated, src\/packed\.js is minified\.$/,
    );
  });

  it('finds the bug among thousands of imported files', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `part${index}`);
    const files = Object.fromEntries(
      names.map((name) => [`src/${name}.js`, `export const ${name} = (a, b) => a + b;\n`]),
    );
    const { exitCode, verdict } = await search({
      ...files,
      'src/part2900.js': 'export const part2900 = (a, b) => a - b;\n',
      'src/index.js': names.map((name) => `export * from './${name}.js';\n`).join(''),
      'test/part.test.js': `${HEAD}import { part2900 } from '../src/index.js';\ntest('adds', () => assert.equal(part2900(2, 3), 5));\n`,
    });
    expect([exitCode, verdict.verified]).toEqual([0, true]);
  });
});

/** A local port that is in use while the test runs. */
async function takenPort(): Promise<number> {
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer().listen(0, '127.0.0.1', () => resolve(listening));
  });
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
