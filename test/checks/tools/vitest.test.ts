import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';
import { describeTestRunner } from '../../support/test-runner-contract.ts';

describeTestRunner({
  tool: 'vitest',
  modules: ['vitest'],
  testFile: (name) => `test/${name}.test.js`,
  header: `import { expect, test } from 'vitest';\nimport { add, fail, flood, hang, leave } from '../src/add.js';`,
  test: (name, body, mark) => `test${mark === undefined ? '' : `.${mark}`}('${name}', () => { ${body} });`,
  equal: (received, expected) => `expect(${received}).toBe(${expected});`,
  allowsDuplicates: true,
});

function repository(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, ...files });
  linkModules(root, ['vitest']);
  return root;
}

const IMPORT = `import { beforeAll, afterAll, describe, expect, it } from 'vitest';\n`;

describe('the vitest check', () => {
  it.each([
    { isolated: false, failed: 1 },
    { isolated: true, failed: 0 },
  ])(
    'loads each file anew, whatever the script says, if asked to: $isolated',
    async ({ isolated, failed }) => {
      const test = `${IMPORT}import { next } from './counter.js';\nit('counts', () => expect(next()).toBe(1));\n`;
      const root = repository({
        'counter.js': 'let count = 0;\nexport const next = () => ++count;\n',
        'a.test.ts': test,
        'b.test.ts': test,
      });
      const args = ['--no-isolate', '--maxWorkers=1', '--no-file-parallelism'];
      const report = await runCheckIn(root, planFor('vitest', { args }), {
        isolated,
        files: ['a.test.ts', 'b.test.ts'],
      });
      expect(report).toMatchObject({ total: 2, failed });
    },
  );

  it('joins suite names and counts tests that did not run because of a failed hook', async () => {
    const root = repository({
      'a.test.ts': `${IMPORT}describe('outer', () => {
        beforeAll(() => { throw new Error('no database'); });
        it('one', () => {});
        it.skip('two', () => {});
        describe('inner', () => { it('three', () => {}); });
      });`,
    });
    const report = await runCheckIn(root, planFor('vitest'));
    expect(statusesOf(report)).toMatchObject({
      'a.test.ts > outer > one': 'failed',
      'a.test.ts > outer > inner > three': 'failed',
    });
    expect(report.diagnostics).toMatchObject([
      { type: 'runtime_error', rule: 'outer', message: 'no database' },
    ]);
  });

  it('fails for an error that no test caught, although every test passed', async () => {
    const root = repository({
      'a.test.js': `${IMPORT}it('starts', () => { setTimeout(() => { throw new TypeError('late'); }, 0); });
        it('waits', () => new Promise((done) => setTimeout(done, 100)));`,
    });
    const report = await runCheckIn(root, planFor('vitest'));
    expect(report).toMatchObject({ status: 'fail', passed: 2, failed: 0 });
    expect(report.diagnostics).toMatchObject([{ type: 'runtime_error', message: 'TypeError: late' }]);
  });

  it('keeps build information of --typecheck in the cache, and trusts it for nothing that has changed', async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: { strict: true, skipLibCheck: true, types: [] } },
      'a.test-d.ts': `import { expectTypeOf, it } from 'vitest';\nimport { a } from './a.js';
        it('is a number', () => expectTypeOf(a).toBeNumber());`,
      'a.ts': 'export const a: number = 1;',
    });
    linkModules(root, ['typescript']);
    const cacheDir = temporaryFolder();
    const run = (fresh = false) =>
      runCheckIn(root, planFor('vitest', { args: ['--typecheck'] }), { cacheDir, fresh });
    const isKept = (): boolean => existsSync(join(cacheDir, 'vitest.tsbuildinfo'));
    expect(await run(true)).toMatchObject({ status: 'pass', passed: 1 });
    expect(isKept()).toBe(false);
    expect(await run()).toMatchObject({ status: 'pass', passed: 1 });
    expect(isKept()).toBe(true);
    writeFiles(root, { 'a.ts': `export const a: string = '';` });
    expect(await run()).toMatchObject({ status: 'fail', failed: 1 });
  });

  it('numbers the tests of one file in several projects', async () => {
    const root = repository({
      'vitest.config.js': `export default { test: { projects: [
        { test: { name: 'one', include: ['*.test.js'], env: { WHICH: 'one' } } },
        { test: { name: 'two', include: ['*.test.js'], env: { WHICH: 'two' } } },
      ] } };`,
      'a.test.js': `${IMPORT}it('is one', () => { expect(process.env.WHICH).toBe('one'); });`,
    });
    const report = await runCheckIn(root, planFor('vitest', { config: 'vitest.config.js' }));
    expect(statusesOf(report)).toEqual({ 'a.test.js > is one': 'passed', 'a.test.js > is one #2': 'failed' });
  });

  it('ignores thresholds, bail, watch and reporters of the repository', async () => {
    const root = repository({
      'vitest.config.js': `export default { test: { bail: 1, reporters: ['dot'], outputFile: { junit: 'x.xml' },
        coverage: { enabled: true, thresholds: { lines: 100 } }, passWithNoTests: true } };`,
      'a.test.js': `${IMPORT}it('fails', () => { expect(1).toBe(2); }); it('passes', () => {});`,
    });
    const plan = planFor('vitest', {
      args: ['run', '--watch', '--reporter=verbose'],
      config: 'vitest.config.js',
    });
    const report = await runCheckIn(root, plan);
    expect(report).toMatchObject({ status: 'fail', passed: 1, failed: 1, total: 2 });
    expect(report.command).not.toMatch(/watch|reporter|outputFile/);
  });

  it('uses the detected configuration', async () => {
    const root = repository({
      'vitest.config.js': `export default { test: { include: ['real/*.test.js'] } };`,
      'vitest.config.ts': `export default { test: { include: ['easy/*.test.js'] } };`,
      'real/a.test.js': `${IMPORT}it('is asked for', () => {});`,
      'easy/b.test.js': `${IMPORT}it('came later', () => {});`,
    });
    const report = await runCheckIn(root, planFor('vitest', { config: 'vitest.config.js' }));
    expect(statusesOf(report)).toEqual({ 'real/a.test.js > is asked for': 'passed' });
    expect(report.command).toContain('--maxWorkers=');
    expect(report.command).toContain('--config=vitest.config.js');
    expect(report.command).not.toContain(root);
  });

  it('leaves the number of workers to a repository that limits them', async () => {
    const root = repository({
      'vitest.config.js': `export default { test: { fileParallelism: false } };`,
      'a.test.js': `${IMPORT}it('works', () => {});`,
    });
    const report = await runCheckIn(root, planFor('vitest', { config: 'vitest.config.js' }));
    expect(report).toMatchObject({ status: 'pass' });
    expect(report.command).not.toContain('--maxWorkers=');
  });

  it('reports that it could not run where there is no test', async () => {
    const report = await runCheckIn(repository({ 'a.js': '' }), planFor('vitest'));
    expect(report.status).toBe('error');
    expect(report.detail).toContain('no test was found');
  });

  it('shows large compared objects in full', async () => {
    const root = repository({
      'a.test.js': `${IMPORT}it('same', () => { expect({ list: [1, 2, 3], name: 'a'.repeat(60) }).toEqual({ list: [1, 2], name: 'b' }); });`,
    });
    const [diagnostic] = (await runCheckIn(root, planFor('vitest'))).diagnostics;
    expect(diagnostic!.received).toContain('a'.repeat(60));
    expect(diagnostic!.expected).toContain('"name": "b"');
  });

  it('reports paths relative to the root for a package of a monorepo', async () => {
    const root = repository({
      'packages/one/package.json': { name: 'one', type: 'module' },
      'packages/one/a.test.js': `${IMPORT}it('works', () => {});`,
      'packages/two/b.test.js': `${IMPORT}it('is not asked for', () => { expect(1).toBe(2); });`,
    });
    const report = await runCheckIn(root, planFor('vitest', { cwd: 'packages/one' }));
    expect(statusesOf(report)).toEqual({ 'packages/one/a.test.js > works': 'passed' });
  });
});
