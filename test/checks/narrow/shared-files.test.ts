import { expect, test } from 'vitest';
import { sharedFiles } from '../../../src/checks/narrow/shared-files.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const PLAN: CheckPlan = {
  name: 'tests',
  kind: 'tests',
  tool: 'jest',
  cwd: 'web',
  args: ['--setupFiles=./test/first.js', 'test/a.test.js', '--env', 'node'],
  setup: [],
  source: 'test',
  version: '',
  weight: 1,
};

function rootWith(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'web/package.json': {
      main: 'index.js',
      jest: { setupFilesAfterEnv: ['<rootDir>/test/after.js', 'gone.js'] },
    },
    'web/jest.config.js': `module.exports = { globalSetup: './test/global.js', collectCoverageFrom: ['./index.js'] };`,
    'web/index.js': '',
    'web/test/first.js': '',
    'web/test/a.test.js': '',
    'web/test/after.js': '',
    'web/test/global.js': '',
  });
  return root;
}

test('the configuration, and what it and the arguments name', () => {
  expect(sharedFiles({ ...PLAN, config: 'web/jest.config.js' }, rootWith())).toEqual([
    'web/jest.config.js',
    'web/test/first.js',
    'web/test/a.test.js',
    'web/test/global.js',
  ]);
});

test('of package.json, the section of the runner', () => {
  const files = ['web/test/first.js', 'web/test/a.test.js', 'web/test/after.js'];
  expect(sharedFiles({ ...PLAN, config: 'web/package.json' }, rootWith())).toEqual(files);
  expect(sharedFiles(PLAN, rootWith())).toEqual(files);
});

test('the configurations of projects, and what they name', () => {
  const root = temporaryFolder();
  writeFiles(root, {
    'vitest.config.ts': `test: { projects: ['./run/*/vitest.config.ts', { test: { exclude: ['**/gone/**'] } }, 'packages/*'] }`,
    'run/node/vitest.config.ts': `test: { setupFiles: ['./first.ts'] }`,
    'run/node/first.ts': '',
    'packages/a/vite.config.js': '',
    'packages/a/src/index.ts': '',
    'vitest.workspace.js': `export default ['./other/vitest.config.js']`,
    'other/vitest.config.js': '',
  });
  const plan: CheckPlan = { ...PLAN, tool: 'vitest', cwd: '.', args: [], config: 'vitest.config.ts' };
  expect(sharedFiles(plan, root)).toEqual([
    'vitest.config.ts',
    'run/node/vitest.config.ts',
    'packages/a/vite.config.js',
    'other/vitest.config.js',
    'run/node/first.ts',
  ]);
});
