import { basename, join, resolve } from 'node:path';
import type { Check, CheckPlan } from '../../ports.ts';
import { dropOptions, dropPositionals, hasOption } from '../run/arguments.ts';
import { namePattern } from './narrowing.ts';
import { parseJestReport } from '../parsers/jest.ts';
import { reporterFile } from '../reporters/index.ts';
import { createTestCheck, type RunnerCall } from './test-check.ts';

const FLAGS = [
  'watch',
  'watchAll',
  'coverage',
  'collectCoverage',
  'json',
  'ci',
  'updateSnapshot',
  'u',
  'notify',
  'o',
  'onlyChanged',
];
const VALUES = ['reporters', 'outputFile', 'coverageReporters', 'coverageDirectory', 'cacheDirectory'];
const BOOLEANS = [
  ...FLAGS,
  'runInBand',
  'i',
  'silent',
  'verbose',
  'passWithNoTests',
  'forceExit',
  'detectOpenHandles',
  'bail',
  'b',
];

/** Jest 27 to 30. */
export function createJestCheck(plan: CheckPlan): Check {
  return createTestCheck(plan, {
    args: (call) => [
      ...repositoryArgs(call),
      ...pinnedConfig(call),
      '--reporters=default',
      `--reporters=${reporterFile('jest-reporter')}`,
      `--outputFile=${call.reportFile}`,
      '--testLocationInResults',
      '--ci',
      '--coverage=false',
      '--bail=0',
      ...cache(call),
      ...nameFilter(call),
      ...(call.files === undefined ? [] : ['--runTestsByPath', ...call.files]),
    ],
    parse: parseJestReport,
  });
}

function repositoryArgs({ plan, files, request }: RunnerCall): string[] {
  const names = request.only === undefined ? [] : ['t', 'testNamePattern'];
  const selection = files === undefined ? [] : ['testPathPattern', 'testPathPatterns'];
  const kept = dropOptions(plan.args, {
    flags: [...FLAGS, 'passWithNoTests', 'bail', 'b'],
    values: [...VALUES, ...names, ...selection],
  });
  return files === undefined ? kept : dropPositionals(kept, BOOLEANS);
}

/** A configuration file that appears later must not take precedence over the one that was detected. */
function pinnedConfig({ plan, request }: RunnerCall): string[] {
  const { config, args } = plan;
  if (config === undefined || hasOption(args, 'config', 'c') || !/^jest\.config\./.test(basename(config)))
    return [];
  return [`--config=${resolve(request.root, config)}`];
}

function cache({ request }: RunnerCall): string[] {
  return request.fresh ? ['--no-cache'] : [`--cacheDirectory=${join(request.cacheDir, 'jest')}`];
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
}
