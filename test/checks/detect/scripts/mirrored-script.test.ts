import { expect, test } from 'vitest';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith, installed } from '../package-folder.ts';

/** The commands of the test script that neither a check nor its set-up runs; undefined where they are not known. */
async function leftOf(scripts: Record<string, string>, files: Files = {}): Promise<string[] | undefined> {
  const root = folderWith({
    'package.json': { scripts },
    ...installed('mocha', 'typescript', 'eslint', 'jest', 'vitest', 'tap@18.0.0'),
    'tsconfig.json': '{}',
    'eslint.config.js': '',
    ...files,
  });
  const { testCommand } = await detectProject({ root, packageDir: '.', config: {} });
  return testCommand!.steps
    ?.filter(({ check, isSetup = false }) => check === undefined && !isSetup)
    .map(({ command }) => command);
}

async function coverageOf(test: string, files: Files = {}): Promise<unknown> {
  const root = folderWith({
    'package.json': { scripts: { test, unit: 'mocha' } },
    ...installed('mocha', 'jest', 'vitest', 'tap@18.0.0'),
    ...files,
  });
  const { checks } = await detectProject({ root, packageDir: '.', config: {} });
  return checks[0]!.coverage;
}

test.each([
  ['a runner', { test: 'mocha test' }],
  ['a build, checks and a runner', { test: 'npm run build && eslint src && mocha', build: 'node build.js' }],
  ['hooks', { pretest: 'tsc -p tsconfig.json', test: 'xo && tape test/*.js' }],
  ['a type check that writes nothing', { test: 'tsc --noEmit && mocha' }],
  ['tap without coverage', { test: 'tap run --disable-coverage' }],
  ['coverage without a limit', { test: 'npm run unit', unit: 'nyc mocha' }],
  ['a limit that the check measures', { test: 'c8 --check-coverage mocha' }],
  ['a report', { test: 'c8 mocha && c8 report' }],
])('the checks are the test script: %s', async (_, scripts) => {
  expect(await leftOf(scripts)).toEqual([]);
});

test.each<[string, Record<string, string>, Files, string[] | undefined]>([
  ['a command behind the tests', { test: 'mocha', posttest: 'node size.js' }, {}, ['node size.js']],
  ['two projects', { test: 'tsc -b a b --noEmit && mocha' }, {}, ['tsc -b a b --noEmit']],
  ['one limit for two runs', { test: 'c8 --100 npm run all', all: 'mocha a && mocha b' }, {}, undefined],
  ['a limit of a report', { test: 'nyc mocha && nyc check-coverage' }, {}, undefined],
  [
    'a limit of a report by settings',
    { test: 'nyc mocha && nyc report' },
    { '.nycrc': '{"check-coverage": true}' },
    undefined,
  ],
])('the test script does more: %s', async (_, scripts, files, left) => {
  expect(await leftOf(scripts, files)).toEqual(left);
});

test.each<[string, Files, unknown]>([
  ['c8 mocha', {}, undefined],
  ['c8 --100 mocha', {}, { wrapper: ['c8', '--100'] }],
  [
    'cross-env A=1 nyc -r text npm run unit',
    { '.nycrc': '{"check-coverage": true}' },
    { wrapper: ['nyc', '-r', 'text'] },
  ],
  ['c8 -c other.json mocha', {}, { wrapper: ['c8', '-c', 'other.json'] }],
  ['tap', {}, { line: 'tap --reporter=tap' }],
  ['tap', { '.taprc': 'allow-incomplete-coverage: true' }, undefined],
  ['tap --disable-coverage', {}, undefined],
  ['vitest run --coverage', {}, undefined],
  ['vitest run --coverage.thresholds.lines=80', {}, { options: ['--coverage.thresholds.lines=80'] }],
  [
    'vitest run --coverage',
    { 'vitest.config.js': 'coverage: { thresholds: {} }' },
    { options: ['--coverage'] },
  ],
  ['vitest run', { 'vitest.config.js': 'coverage: { enabled: true, thresholds: {} }' }, { options: [] }],
  [
    'vitest run --coverage',
    { 'vitest.config.js': "import base from './base.js'" },
    { options: ['--coverage'] },
  ],
  ['jest', { 'jest.config.js': 'collectCoverage: true, coverageThreshold: {}' }, { options: [] }],
  ['jest --coverage', { 'jest.config.js': '' }, undefined],
  ['jest --coverage', { 'jest.config.js': "preset: 'ts-jest'" }, undefined],
  ['jest --coverage', { 'jest.config.js': "preset: './base'" }, { options: ['--coverage'] }],
  ['vitest run', { 'vitest.config.js': 'coverage: { enabled: true }, extends: true' }, undefined],
  [
    'vitest run',
    { 'vitest.config.js': "coverage: { enabled: true }, extends: './base.js'" },
    { options: [] },
  ],
])('a limit of coverage: %s, %j', async (line, files, coverage) => {
  expect(await coverageOf(line, files)).toEqual(coverage);
});
