import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { describeTestRunner } from '../../support/test-runner-contract.ts';

describeTestRunner({
  tool: 'jest',
  modules: ['jest'],
  testFile: (name) => `test/${name}.test.js`,
  header: `import { expect, test } from '@jest/globals';\nimport { add, fail, flood, hang, leave } from '../src/add.js';`,
  test: (name, body, mark) =>
    mark === 'todo'
      ? `test.todo('${name}');`
      : `test${mark === undefined ? '' : `.${mark}`}('${name}', () => { ${body} });`,
  equal: (received, expected) => `expect(${received}).toBe(${expected});`,
  files: { 'jest.config.js': 'export default { transform: {} };' },
  plan: { env: { NODE_OPTIONS: '--experimental-vm-modules' }, config: 'jest.config.js' },
  allowsDuplicates: true,
});

describe('the jest check', () => {
  it('counts tests below a failed hook, and a hook that fails after passed tests', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': {},
      'a.test.js': `describe('outer', () => { beforeAll(() => { throw new Error('down'); }); it('one', () => {}); });`,
      'b.test.js': `afterAll(() => { throw new Error('leak'); }); it('two', () => {});`,
    });
    linkModules(root, ['jest']);
    const report = await runCheckIn(root, planFor('jest'));
    expect(statusesOf(report)).toEqual({
      'a.test.js > outer > one': 'failed',
      'b.test.js > (file)': 'failed',
      'b.test.js > two': 'passed',
    });
    expect(report.diagnostics.map(({ message }) => message).join()).toMatch(/down.*leak/s);
  });

  it('ends a run that loads modules of ralph although the tests leave a timer open', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': {},
      'a.test.js': `it('waits', () => { setInterval(() => {}, 1000); });`,
    });
    linkModules(root, ['jest']);
    const report = await runCheckIn(root, planFor('jest'), { timeoutMs: 30_000, loadsOwn: true });
    expect(statusesOf(report)).toEqual({ 'a.test.js > waits': 'passed' });
    expect(report.status).toBe('pass');
  });

  it('says of a file that was running when the time was over no more than that', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'package.json': {}, 'a.test.js': `for (;;);\nit('is never begun', () => {});` });
    linkModules(root, ['jest']);
    const report = await runCheckIn(root, planFor('jest'), { timeoutMs: 20_000 });
    expect(report.detail).toBe('Not finished within 20000 ms. Still running: a.test.js.');
    expect(report.diagnostics).toMatchObject([
      {
        type: 'timeout',
        file: 'a.test.js',
        message: expect.stringMatching(/^The file was still running when the time was over\./) as string,
      },
    ]);
  });

  it('shows values that JSON cannot hold', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': {},
      'a.test.js': `it('counts', () => { expect(NaN).toBe(undefined); });`,
    });
    linkModules(root, ['jest']);
    const [diagnostic] = (await runCheckIn(root, planFor('jest'))).diagnostics;
    expect(diagnostic).toMatchObject({ expected: 'undefined', received: 'NaN' });
  });

  describe('with a plain file', () => {
    /** Babel writes one space where the source has two. */
    const run = async (files: Record<string, string | object>, plainFiles?: readonly string[]) => {
      const root = temporaryFolder();
      writeFiles(root, {
        'package.json': {},
        'src/a.js': 'exports.read = () => {  return  1; };',
        'a.test.js': `it('keeps the text', () => expect(String(require('./src/a.js').read)).toMatch('return  1'));`,
        ...files,
      });
      linkModules(root, ['jest']);
      const report = await runCheckIn(root, planFor('jest'), plainFiles === undefined ? {} : { plainFiles });
      return statusesOf(report)['a.test.js > keeps the text'];
    };

    it('does not transform it', async () => {
      expect(await run({}, ['src/a.js'])).toBe('passed');
      expect(await run({})).toBe('failed');
    });

    it('transforms it where Babel or Jest is configured to', async () => {
      expect(await run({ 'src/.babelrc': '{}' }, ['src/a.js'])).toBe('failed');
      expect(await run({ 'package.json': { babel: {} } }, ['src/a.js'])).toBe('failed');
      const jest = { transform: { js$: 'babel-jest' } };
      expect(await run({ 'package.json': { jest } }, ['src/a.js'])).toBe('failed');
    });
  });

  it('does not fail for a coverage threshold', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': {
        jest: { collectCoverage: true, coverageThreshold: { global: { functions: 100 } } },
      },
      'source.js': 'exports.unused = () => 1;',
      'a.test.js': `require('./source.js'); it('passes', () => {});`,
    });
    linkModules(root, ['jest']);
    expect(await runCheckIn(root, planFor('jest'), { fresh: true })).toMatchObject({
      status: 'pass',
      total: 1,
    });
  });

  it('ignores bail, writes no snapshot and uses the detected configuration', async () => {
    const root = temporaryFolder();
    const config = (pattern: string): string =>
      `module.exports = { bail: 1, maxWorkers: 1, testMatch: ['**/${pattern}.js'], transform: {} };`;
    writeFiles(root, {
      'package.json': {},
      'jest.config.js': config('*.test'),
      'jest.config.cjs': config('*.easy'),
      'a.test.js': `it('one', () => { throw new Error('one'); });`,
      'b.test.js': `it('two', () => { expect(1).toMatchSnapshot(); });`,
      'c.easy.js': `it('came later', () => {});`,
    });
    linkModules(root, ['jest']);
    const report = await runCheckIn(root, planFor('jest', { config: 'jest.config.js' }));
    expect(statusesOf(report)).toEqual({ 'a.test.js > one': 'failed', 'b.test.js > two': 'failed' });
    expect(existsSync(join(root, '__snapshots__'))).toBe(false);
  });
});
