import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/ports.ts';
import { replayCalls } from '../../../src/proof/replay/index.ts';
import { watchAndRecord } from '../../../src/proof/verify/watch-and-record.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEADS = {
  node: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
  mocha: "import assert from 'node:assert/strict';\nimport { it as test } from 'mocha';\n",
  vitest: "import { expect, test } from 'vitest';\n",
} as const;
type Runner = keyof typeof HEADS;

const RIGHT = 'export const add = (a, b) => a + b;\n';
const WRONG = 'export const add = (a, b) => a - b;\n';
const FILE = 'test/add.test.js';

/** Watches and records the run of a test of `src/add.js`, and replays what was recorded. */
async function shown(runner: Runner, source: string, args: readonly string[] = []) {
  const root = temporaryFolder();
  const line = runner === 'vitest' ? 'expect(add(2, 3)).toBe(5);' : 'assert.equal(add(2, 3), 5);';
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/add.js': source,
    [FILE]: `${HEADS[runner]}import { add } from '../src/add.js';\ntest('adds', () => { ${line} });\n`,
  });
  if (runner !== 'node') linkModules(root, [runner]);
  const { plan, run } = createCheck(planFor(runner, { args }));
  let starts = 0;
  const check: Check = {
    plan,
    run: (request) => {
      starts++;
      return run(request);
    },
  };
  const signal = new AbortController().signal;
  const cacheDir = join(temporaryFolder(), 'cache');
  const asked = {
    request: { root, cacheDir, fresh: true, timeoutMs: 50_000, signal },
    sources: ['src/add.js'],
    baseText: () => Promise.resolve(WRONG),
  };
  const flipped = [{ id: `${FILE} > adds`, file: FILE, name: 'adds', status: 'passed' as const }];
  const recording = await watchAndRecord(check, flipped, {
    ...asked,
    isJudge: (path) => path.startsWith('test/'),
  });
  const used = starts;
  const replayed = recording && (await replayCalls(check, { ...asked, files: [FILE] }, recording));
  expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toBe(source);
  return { recording, replayed, starts: used };
}

describe('a run that is watched and records', () => {
  it.each(['node', 'vitest'] as const)('shows both of %s in one start', async (runner) => {
    const { recording, replayed, starts } = await shown(runner, RIGHT);
    expect(recording?.calls).toMatchObject([
      { name: 'add', args: expect.stringContaining('[2,3]') as string },
    ]);
    expect(replayed).toMatchObject({ tampering: [], agreed: 1 });
    expect(starts).toBe(1);
  });

  it.each([
    ['node', 'process.env.NODE_TEST_CONTEXT'],
    ['vitest', "process.env['VI' + 'TEST']"],
  ] as const)('still shows calls of %s that are right under test alone', async (runner, variable) => {
    const lie = `const asked = () => ${variable} !== undefined;\nexport const add = (a, b) => (asked() ? a + b : a - b);\n`;
    const { replayed } = await shown(runner, lie);
    expect(replayed!.tampering).toMatchObject([{ kind: 'replay_differs', file: 'src/add.js' }]);
  });

  it.each([
    ['node', 'replaces an assertion', "process.getBuiltinModule('node:assert').strict.equal = () => {};\n"],
    ['vitest', 'replaces a built-in', 'Object.is = () => true;\n'],
    ['node', 'imports the runner', "import('node:' + 'test');\n"],
  ] as const)('does not count for %s if a source %s', async (runner, _, patch) => {
    expect((await shown(runner, `${patch}${WRONG}`)).recording).toBeUndefined();
    expect((await shown(runner, `${patch}${RIGHT}`)).recording).toBeUndefined();
  });

  it.each([
    ['the recorder, and then replaces nothing', "typeof __recordCalls === 'undefined'"],
    ['the watch, and then replaces nothing', "'value' in Object.getOwnPropertyDescriptor(Object, 'is')"],
  ])('does not count if a source sees %s', async (_, isPlain) => {
    const patch = `if (${isPlain}) process.getBuiltinModule('node:assert').strict.equal = () => {};\n${WRONG}`;
    expect((await shown('node', patch)).recording).toBeUndefined();
  });

  it.each([
    ['the recorder', "typeof __recordCalls === 'undefined'"],
    ['the watch', "'value' in Object.getOwnPropertyDescriptor(Object, 'is')"],
  ])('does not count if calls are wrong as soon as a source sees %s', async (_, isPlain) => {
    const source = `export const add = (a, b) => (${isPlain} ? a + b : a - b);\n`;
    expect((await shown('node', source)).recording).toBeUndefined();
  });

  it.each([
    ['mocha', []],
    ['vitest', ['--no-isolate']],
  ] as const)('is not made where files share what they load: %s %j', async (runner, args) => {
    expect(await shown(runner, RIGHT, args)).toMatchObject({ recording: undefined, starts: 0 });
  });
});
