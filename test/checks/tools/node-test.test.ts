import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { RunnerCall } from '../../../src/checks/tools/test-check.ts';
import { nodeTestArguments } from '../../../src/checks/tools/node-test.ts';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { describeTestRunner } from '../../support/test-runner-contract.ts';

describeTestRunner({
  tool: 'node',
  modules: [],
  testFile: (name) => `test/${name}.test.js`,
  header: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add, fail, flood, hang, leave } from '../src/add.js';`,
  test: (name, body, mark) => `test${mark === undefined ? '' : `.${mark}`}('${name}', () => { ${body} });`,
  equal: (received, expected) => `assert.equal(${received}, ${expected});`,
  allowsDuplicates: true,
});

function repository(text: string): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'a.test.js': `import assert from 'node:assert';\nimport { before, describe, it, test } from 'node:test';\n${text}`,
  });
  return root;
}

describe('the node:test check', () => {
  it.each([
    ['as many files at once as there are cores', {}, true],
    ['as many as its script says', { args: ['--test-concurrency=1'] }, false],
    ['as many as its environment says', { env: { NODE_OPTIONS: '--test-concurrency=1' } }, false],
  ])('runs %s', (_, plan, isAdded) => {
    const request = { root: '.', cacheDir: '.', timeoutMs: 1, fresh: false, signal: AbortSignal.abort() };
    const given = { plan: planFor('node', plan), request, cwd: '.', reporter: 'r', reportFile: 'f' };
    const call = given as unknown as RunnerCall;
    const option = `--test-concurrency=${availableParallelism()}`;
    expect(nodeTestArguments(call).includes(option)).toBe(isAdded);
    const again: RunnerCall = { ...call, request: { ...request, only: [] } };
    expect(nodeTestArguments(again)).not.toContain(option);
  });

  it('joins names of suites and subtests, and reports a failed parent once', async () => {
    const root = repository(`
      describe('outer', () => { describe('inner', () => { it('one', () => {}); }); });
      test('parent', async (t) => { await t.test('child', () => { assert.equal(1, 2); }); });`);
    const report = await runCheckIn(root, planFor('node'));
    expect(statusesOf(report)).toEqual({
      'a.test.js > outer > inner > one': 'passed',
      'a.test.js > parent > child': 'failed',
      'a.test.js > parent': 'failed',
    });
    expect(report.diagnostics).toMatchObject([
      { type: 'test_failure', rule: 'parent > child', expected: '2' },
    ]);
  });

  it('shows no number of files at once but that of the script', async () => {
    const root = repository(`test('one', () => {});`);
    expect((await runCheckIn(root, planFor('node'))).command).toBe('node --test');
    const given = await runCheckIn(root, planFor('node', { args: ['--test', '--test-concurrency=1'] }));
    expect(given.command).toBe('node --test --test-concurrency=1');
  });

  it('runs a requested subtest that only its parent starts', async () => {
    const root = repository(`
      test('parent', async (t) => { await t.test('child', () => {}); });
      test('other', () => { throw new Error('not asked for'); });`);
    const whole = await runCheckIn(root, planFor('node'));
    const only = whole.tests.filter(({ name }) => name === 'parent > child');
    expect(await runCheckIn(root, planFor('node'), { only })).toMatchObject({ status: 'pass', total: 1 });
  });

  it('fails every test of a suite whose hook failed', async () => {
    const root = repository(
      `describe('outer', () => { before(() => { throw new Error('down'); }); it('one', () => {}); });`,
    );
    const report = await runCheckIn(root, planFor('node'));
    expect(statusesOf(report)).toEqual({ 'a.test.js > outer > one': 'failed' });
    expect(report.diagnostics).toMatchObject([{ rule: 'outer', message: 'down' }]);
  });

  it('fails the tests that process.exit(0) ended, with the position of the call', async () => {
    const root = repository(`
      import { leave } from './leave.js';
      const later = () => new Promise((resolve) => setTimeout(resolve, 300));
      test('one', later);
      describe('outer', () => { it('two', async () => { await later(); leave(); }); it('three', () => {}); });
      test('four', () => {});`);
    writeFiles(root, { 'leave.js': 'export function leave() {\n  process.exit(0);\n}' });
    const report = await runCheckIn(root, planFor('node'));
    expect(report.status).toBe('fail');
    expect(statusesOf(report)).toMatchObject({ 'a.test.js > one': 'passed', 'a.test.js > four': 'failed' });
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/ended before this test did/) }),
    );
    expect(report.diagnostics.some(({ stack_trace }) => stack_trace?.includes('leave.js:2'))).toBe(true);
  });

  it('fails a file that process.exit(0) ended before any of its tests was reported', async () => {
    const root = repository(
      `test('one', () => {}); test('two', () => { process.exit(0); }); test('three', () => {});`,
    );
    const report = await runCheckIn(root, planFor('node'));
    expect(report).toMatchObject({ status: 'fail', passed: 0, failed: 1 });
    expect(report.diagnostics).toMatchObject([
      { message: 'process.exit() ended the file before its tests were reported.', file: 'a.test.js' },
    ]);
  });

  it.each([
    ['a script that ends itself', `console.log('ok'); process.exit(0);`, {}],
    [
      'a file whose tests are for another system',
      `import { test } from 'node:test'; if (process.platform === 'none') test('x', () => {});`,
      {},
    ],
    [
      'a file with handles left open',
      `import { test } from 'node:test'; test('x', () => { setInterval(() => {}, 1000); });`,
      { args: ['--test-force-exit'] },
    ],
    [
      'a test that takes another process for a file',
      `import { test } from 'node:test'; import { fork } from 'node:child_process';
      test('x', (t, done) => {
        const child = fork(new URL('./leaves.js', import.meta.url), { silent: true });
        let text = '';
        child.stderr.on('data', (chunk) => (text += chunk));
        child.on('exit', () => done(text === '' ? undefined : new Error(text)));
      });`,
      {},
    ],
  ])('passes for %s', async (_, text, plan) => {
    const root = temporaryFolder();
    const leaves = `import 'node:test'; process.exit(0);`;
    writeFiles(root, { 'package.json': { type: 'module' }, 'a.test.js': text, 'leaves.js': leaves });
    expect(await runCheckIn(root, planFor('node', plan))).toMatchObject({ status: 'pass', total: 1 });
  });

  it('counts a script without tests as one test', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'plain.test.js': `require('node:assert').ok(true);` });
    const report = await runCheckIn(
      root,
      planFor('node', { args: ['--test', '--watch', '--test-reporter', 'dot'] }),
    );
    expect(statusesOf(report)).toEqual({ 'plain.test.js > (file)': 'passed' });
  });

  it('reports that it could not run for an option that Node rejects', async () => {
    const report = await runCheckIn(
      repository(`test('one', () => {});`),
      planFor('node', { args: ['--no-such-option'] }),
    );
    expect(report.status).toBe('error');
  });
});
