import { expect, test } from 'vitest';
import { runAffected } from '../../../src/checks/narrow/run-affected.ts';
import type { Check } from '../../../src/ports.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import { createCheck } from '../../../src/tools.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const PLAN: CheckPlan = {
  name: 'tests',
  kind: 'tests',
  tool: 'node',
  cwd: '.',
  args: ['--test'],
  setup: [],
  source: 'test',
  version: '',
  weight: 1,
};

function testFile(name: string, value: number): string {
  return `import { test } from 'node:test'; import assert from 'node:assert';
import { ${name} } from '../src/${name}.mjs';
test('${name} is 1', () => assert.equal(${name}, ${value}));`;
}

function repository(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': {},
    'src/a.mjs': 'export const a = 1;',
    'src/b.mjs': 'export const b = 1;',
    'src/c.mjs': 'export const c = 2;',
    'test/a.test.mjs': testFile('a', 1),
    'test/b.test.mjs': testFile('b', 1),
    'test/c.test.mjs': testFile('c', 1),
    'test/d.test.mjs': testFile('a', 1).replaceAll("'a is 1'", "'also'"),
    'test/e.test.mjs': testFile('b', 1).replaceAll("'b is 1'", "'too'"),
  });
  return root;
}

const requestFor = (root: string) => ({
  root,
  cacheDir: temporaryFolder(),
  fresh: false,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});

interface Circumstances {
  readonly wholeMs?: number;
  readonly plan?: CheckPlan;
  readonly isFinal?: boolean;
}

/** The tests of the repository as it is; their paths are the same in every copy. */
let before: Promise<CheckReport> | undefined;

async function narrowed(
  changed: Readonly<Record<string, string>>,
  { wholeMs = 60_000, plan = PLAN, isFinal = false }: Circumstances = {},
): Promise<{ report: CheckReport | undefined; asked: (readonly string[] | undefined)[] }> {
  const root = repository();
  const real = createCheck(PLAN);
  const { tests } = await (before ??= real.run(requestFor(repository())));
  writeFiles(root, changed);
  const asked: (readonly string[] | undefined)[] = [];
  const check: Check = {
    plan,
    run: (request) => {
      asked.push(request.files);
      return real.run(request);
    },
  };
  const request = requestFor(root);
  const report = await runAffected(check, {
    request,
    changed: Object.keys(changed),
    tests,
    wholeMs,
    isFinal,
  });
  return { report, asked };
}

test('runs what the change reaches and what failed, and takes the rest from the tree before', async () => {
  const { report, asked } = await narrowed({ 'src/c.mjs': 'export const c = 1;' });
  expect(asked).toEqual([['test/c.test.mjs']]);
  expect(report).toMatchObject({ status: 'pass', passed: 5, failed: 0, total: 5 });
  expect(report!.tests.map(({ status }) => status)).toEqual(Array(5).fill('passed'));
  expect(report!.detail).toBe('1 test passed. 1 test file ran; the change does not reach the other 4.');
});

test('a test that failed runs again, whatever the change reaches', async () => {
  const { report, asked } = await narrowed({ 'test/e.test.mjs': testFile('b', 2) });
  expect(asked).toEqual([['test/c.test.mjs', 'test/e.test.mjs']]);
  expect(report).toMatchObject({ status: 'fail', passed: 3, failed: 2, total: 5 });
});

test('a check of a second is narrowed for a final result, which starts its runner once', async () => {
  const { asked } = await narrowed({ 'src/c.mjs': '' }, { wholeMs: 1_000, isFinal: true });
  expect(asked).toEqual([['test/c.test.mjs']]);
});

test.each([
  ['most tests are affected', { 'src/a.mjs': 'export const a = 2;', 'src/b.mjs': '' }, {}],
  ['types are checked', { 'src/c.mjs': '' }, { plan: { ...PLAN, args: ['--typecheck'] } }],
  ['a file that is no code has changed', { 'package.json': '{ "type": "module" }' }, {}],
  ['the check is quick', { 'src/c.mjs': '' }, { wholeMs: 1_000 }],
  ['tests share a process', { 'src/c.mjs': '' }, { plan: { ...PLAN, tool: 'mocha' as const } }],
  ['a build comes before', { 'src/c.mjs': '' }, { plan: { ...PLAN, setup: ['npm run build'] } }],
])('all tests run where %s', async (_, changed, options) => {
  const { report, asked } = await narrowed(changed, options);
  expect([report, asked]).toEqual([undefined, []]);
});
