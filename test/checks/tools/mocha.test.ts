import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportFileIn } from '../../../src/checks/reporters/mocha-report-file.ts';
import { mochaArguments, mochaProgram } from '../../../src/checks/tools/mocha.ts';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';
import { describeTestRunner } from '../../support/test-runner-contract.ts';

describeTestRunner({
  tool: 'mocha',
  modules: ['mocha'],
  testFile: (name) => `test/${name}.test.js`,
  header: `import assert from 'node:assert/strict';\nimport { add, fail, flood, hang, leave } from '../src/add.js';`,
  test: (name, body, mark) =>
    mark === 'todo'
      ? `it('${name}');`
      : `it${mark === undefined ? '' : `.${mark}`}('${name}', () => { ${body} });`,
  equal: (received, expected) => `assert.equal(${received}, ${expected});`,
  files: { '.mocharc.json': { timeout: 60_000, exit: true } },
  loadsAllOrNothing: true,
  allowsDuplicates: true,
});

function repository(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { private: true }, ...files });
  linkModules(root, ['mocha']);
  return root;
}

const HOOK = `describe('outer', () => {
  before(() => { throw new Error('no database'); });
  it('one', () => {});
  it.skip('two', () => {});
  describe('inner', () => { it('three', () => {}); });
});
it('stands alone', () => {});`;

describe('the mocha check', () => {
  it('counts the tests that did not run because of a failed hook', async () => {
    const report = await runCheckIn(repository({ 'test/a.js': HOOK }), planFor('mocha'));
    expect(statusesOf(report)).toEqual({
      'test/a.js > stands alone': 'passed',
      'test/a.js > outer > one': 'failed',
      'test/a.js > outer > two': 'skipped',
      'test/a.js > outer > inner > three': 'failed',
    });
    expect(report.diagnostics).toMatchObject([{ type: 'runtime_error', message: 'no database' }]);
  });

  it('ends a run that loads modules of ralph although the tests leave a timer open', async () => {
    const root = repository({ 'test/a.js': `it('waits', () => { setInterval(() => {}, 1000); });` });
    expect((await runCheckIn(root, planFor('mocha'), { timeoutMs: 4000 })).status).toBe('fail');
    const report = await runCheckIn(root, planFor('mocha'), { timeoutMs: 20_000, loadsOwn: true });
    expect(statusesOf(report)).toEqual({ 'test/a.js > waits': 'passed' });
    expect(report.status).toBe('pass');
  });

  it('passes tests outside of the suite of a failed hook', async () => {
    const root = repository({ 'test/a.js': HOOK });
    const only = [
      { id: 'test/a.js > stands alone', name: 'stands alone', file: 'test/a.js', status: 'passed' },
    ] as const;
    expect((await runCheckIn(root, planFor('mocha'), { only })).status).toBe('pass');
  });

  it('works in parallel mode and with a reporter that the repository configures', async () => {
    const root = repository({
      '.mocharc.json': { parallel: true, reporter: 'dot', bail: true },
      'test/a.js': `describe('outer', () => { it('one', () => { throw new Error('one'); }); it('two', () => {}); });`,
    });
    const report = await runCheckIn(root, planFor('mocha', { args: ['--reporter', 'min'] }));
    expect(statusesOf(report)).toEqual({
      'test/a.js > outer > one': 'failed',
      'test/a.js > outer > two': 'passed',
    });
  });

  it.each([
    ['a configuration file', { '.mocharc.yml': 'spec: test/*.js\ntimeout: 9000\n' }, '.mocharc.yml'],
    ['package.json', { 'package.json': { mocha: { spec: ['test/*.js'], timeout: 9000 } } }, undefined],
  ])('runs one of the files that %s names', async (_, files, config) => {
    const one = `it('one', function () { if (this.timeout() !== 9000) throw new Error('no limit'); });`;
    const root = repository({ ...files, 'test/a.js': one, 'test/b.js': one });
    const plan = planFor('mocha', config === undefined ? {} : { config });
    expect(statusesOf(await runCheckIn(root, plan))).toEqual({
      'test/a.js > one': 'passed',
      'test/b.js > one': 'passed',
    });
    const report = await runCheckIn(root, plan, { files: ['test/b.js'] });
    expect(statusesOf(report)).toEqual({ 'test/b.js > one': 'passed' });
  });

  it('reads the names that Mocha had before version 4', async () => {
    const old = `const { Runnable, Suite } = require('mocha');
      delete Runnable.prototype.titlePath;
      delete Suite.prototype.titlePath;
      Suite.prototype.fullTitle = Runnable.prototype.fullTitle = function () { return this.title; };`;
    const root = repository({ 'old.cjs': old, 'test/a.js': HOOK });
    const report = await runCheckIn(root, planFor('mocha', { args: ['--require', './old.cjs'] }));
    expect(statusesOf(report)).toEqual({
      'test/a.js > stands alone': 'passed',
      'test/a.js > outer > one': 'failed',
      'test/a.js > outer > two': 'skipped',
      'test/a.js > outer > inner > three': 'failed',
    });
  });

  it('names the test that never ends', async () => {
    const root = repository({ 'test/a.js': `it('ends', () => {});\nit('loops', () => { for (;;); });` });
    const report = await runCheckIn(root, planFor('mocha'), { timeoutMs: 3_000 });
    expect(report.detail).toBe('Not finished within 3000 ms. Still running: "loops" of test/a.js.');
    expect(report.diagnostics).toMatchObject([{ type: 'timeout', file: 'test/a.js' }]);
  });
});

describe('the arguments of mocha', () => {
  it.each([
    ['5.2.0', ['--reporter=r', '--reporter-options=ralphReport=f', 'test.js']],
    ['11.7.5', ['--reporter=r', '--reporter-option=ralphReport=f', '--no-bail', 'test.js']],
  ])('are those that version %s knows', (version, expected) => {
    const plan = planFor('mocha', { args: ['--bail'], version });
    const place = { cwd: '/none', entry: '/none/m.js' };
    const call = { plan, request: {}, ...place, reporter: 'r', reportFile: 'f', files: ['test.js'] };
    expect(mochaArguments(call as never)).toEqual(expected);
  });

  it.each([
    ['one word', ['--reporter=r', '--reporter-option=ralphReport=/tmp/f.json', '--no-bail']],
    ['two words, for a process with options of Node', ['--reporter-option', 'ralphReport=/tmp/f.json']],
    ['one word before version 6', ['--reporter-options=ralphReport=/tmp/f.json']],
  ])('name the report in %s', (_, words) => {
    expect(reportFileIn(['node', 'mocha', ...words])).toBe('/tmp/f.json');
  });
});

describe('the program of mocha', () => {
  const program = (version: string, args: string[] = [], files: Files = {}): string | undefined => {
    const root = temporaryFolder();
    writeFiles(root, { 'bin/mocha': '', 'bin/_mocha': '', ...files });
    const call = { plan: planFor('mocha', { version, args }), entry: join(root, 'bin/mocha'), cwd: root };
    const found = mochaProgram(call as unknown as Parameters<typeof mochaProgram>[0]);
    return found === undefined ? undefined : relative(root, found);
  };

  it('is the one that an old version starts by itself, without an option of Node', () => {
    expect(program('3.5.3', ['--require', 'x', 'test/*.js'])).toBe('bin/_mocha');
    expect(program('5.2.0', [], { 'test/mocha.opts': '--require x\n--timeout 5000\n' })).toBe('bin/_mocha');
    expect(program('6.0.0')).toBeUndefined();
    expect(program('3.5.3', ['--harmony'])).toBeUndefined();
    expect(program('3.5.3', ['--max-old-space-size=99'])).toBeUndefined();
    expect(program('3.5.3', [], { 'test/mocha.opts': '--require x\n--expose-gc\n' })).toBeUndefined();
    expect(program('3.5.3', ['--opts', 'own.opts'], { 'own.opts': '--trace-warnings' })).toBeUndefined();
  });
});
