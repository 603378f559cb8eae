import { describe, expect, it } from 'vitest';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { describeTestRunner } from '../../support/test-runner-contract.ts';

describeTestRunner({
  tool: 'ava',
  modules: ['ava'],
  testFile: (name) => `test/${name}.test.js`,
  header: `import test from 'ava';\nimport { add, fail, flood, hang, leave } from '../src/add.js';`,
  test: (name, body, mark) =>
    mark === 'todo'
      ? `test.todo('${name}');`
      : `test${mark === undefined ? '' : `.${mark}`}('${name}', (t) => { ${body} });`,
  equal: (received, expected) => `t.is(${received}, ${expected});`,
});

describe('the ava check', () => {
  it('reports the pending tests at a time-out with any configured reporter', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': { type: 'module' },
      'ava.config.js': `export default { tap: true, failFast: true, timeout: '1s', workerThreads: false };`,
      'test.js': `import test from 'ava';
        test.serial('fails', (t) => { t.is(1, 2); });
        test.serial('waits', async (t) => { await new Promise((done) => setTimeout(done, 30_000)); t.pass(); });`,
    });
    linkModules(root, ['ava']);
    const report = await runCheckIn(root, planFor('ava'));
    expect(statusesOf(report)).toEqual({ 'test.js > fails': 'failed', 'test.js > waits': 'failed' });
    expect(report.diagnostics.map(({ type, rule }) => [type, rule])).toEqual([
      ['test_failure', 'fails'],
      ['timeout', 'waits'],
    ]);
  });

  it('selects titles that contain glob syntax', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'package.json': { type: 'module' },
      'test.js': `import test from 'ava'; test('!a * b', (t) => t.pass()); test('other', (t) => t.fail());`,
    });
    linkModules(root, ['ava']);
    const only = [{ id: 'test.js > !a * b', name: '!a * b', file: 'test.js', status: 'passed' }] as const;
    expect(await runCheckIn(root, planFor('ava'), { only })).toMatchObject({ status: 'pass', total: 1 });
  });
});
