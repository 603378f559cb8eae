import { expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

async function isMirrored(scripts: Record<string, string>, files: Files = {}): Promise<boolean> {
  const root = folderWith({
    'package.json': { scripts },
    ...installed('mocha', 'typescript', 'eslint', 'jest'),
    'tsconfig.json': '{}',
    'eslint.config.js': '',
    ...files,
  });
  const { testCommand } = await detectProject({ root, packageDir: '.', config: {} });
  return testCommand!.isMirrored === true;
}

test.each([
  ['a runner', { test: 'mocha test' }],
  ['a build, checks and a runner', { test: 'npm run build && eslint src && mocha', build: 'node build.js' }],
  ['hooks', { pretest: 'tsc -p tsconfig.json', test: 'xo && tape test/*.js' }],
  ['tap without coverage', { test: 'tap run --disable-coverage' }],
])('the checks are the test script: %s', async (_, scripts) => {
  expect(await isMirrored(scripts)).toBe(true);
});

test.each([
  ['a limit of coverage', { test: 'c8 --check-coverage mocha' }, {}],
  ['a limit in a script that it calls', { test: 'npm run unit', unit: 'nyc mocha' }, {}],
  [
    'coverage in the configuration',
    { test: 'jest' },
    { 'jest.config.js': 'exports.collectCoverage = 1; ({ collectCoverage: true })' },
  ],
  ['tap, which demands coverage', { test: 'tap' }, {}],
  ['a command behind the tests', { test: 'mocha', posttest: 'node size.js' }, {}],
])('the test script does more: %s', async (_, scripts, files) => {
  expect(await isMirrored(scripts, files)).toBe(false);
});
