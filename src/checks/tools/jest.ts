import { basename, join, resolve } from 'node:path';
import { dropOptions, hasOption } from '../run/arguments.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import { plainFileArguments } from './jest-plain-files.ts';
import type { RunnerCall } from './test-check.ts';
import { namePattern } from './test-selection.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://jestjs.io/docs/cli
 */
export const jestOptions: OptionRules = {
  drop: optionNames(`--watch --watchAll --no-watchman --coverage --collectCoverage --no-coverage --verbose --silent
    --json --ci --no-ci --passWithNoTests --updateSnapshot -u --bail -b --notify --logHeapUsage --color
    --colors --no-color --no-colors --onlyChanged -o --lastCommit --onlyFailures -f --expand -e --no-cache
    --cache --errorOnDeprecated --testLocationInResults --debug --no-verbose --openHandlesTimeout`),
  dropWithValue:
    optionNames(`--coverageDirectory --coverageReporters --collectCoverageFrom --coverageThreshold
    --coverageProvider --coveragePathIgnorePatterns --reporters --outputFile --notifyMode --changedSince
    --cacheDirectory --testResultsProcessor`),
  keepWithValue: optionNames(`-c --config --rootDir -t --testNamePattern --testPathPattern --testPathPatterns
    --testPathIgnorePatterns --env --testEnvironment --selectProjects --ignoreProjects --projects --testMatch
    --testRegex -w --maxWorkers --testTimeout --setupFiles --setupFilesAfterEnv --roots --runner --preset
    --transform --shard --seed --filter --globals --globalSetup --globalTeardown --moduleNameMapper
    --modulePathIgnorePatterns --testSequencer --testRunner --testEnvironmentOptions --maxConcurrency
    --workerThreads --moduleFileExtensions`),
  switches: optionNames('--runInBand -i --forceExit --detectOpenHandles'),
  watch: ['--watch', '--watchAll'],
};

/** The arguments of Jest 27 to 30 for one run. */
export function jestArguments(call: RunnerCall): string[] {
  return [
    ...scriptArguments(call),
    ...pinnedConfig(call),
    '--reporters=default',
    `--reporters=${call.reporter}`,
    `--outputFile=${call.reportFile}`,
    '--testLocationInResults',
    '--ci',
    ...(call.coverage?.options ?? ['--coverage=false']),
    '--bail=0',
    ...ending(call),
    ...cache(call),
    ...plainFileArguments(call),
    ...nameFilter(call),
    ...(call.files === undefined ? [] : ['--runTestsByPath', ...call.files]),
  ];
}

function scriptArguments({ plan, files, request }: RunnerCall): string[] {
  const names = request.only === undefined ? [] : ['t', 'testNamePattern'];
  const selection = files === undefined ? [] : ['testPathPattern', 'testPathPatterns'];
  const kept = dropOptions(keepArguments(jestOptions, plan.args), [...names, ...selection]);
  return files === undefined ? kept : dropOperands(jestOptions, kept);
}

/** Pins the detected configuration file: one that the actor adds must not take precedence. */
function pinnedConfig({ plan, request }: RunnerCall): string[] {
  const { config, args } = plan;
  const isOwn = config !== undefined && /^jest\.config\./.test(basename(config));
  return isOwn && !hasOption(args, 'config', 'c') ? [`--config=${resolve(request.root, config)}`] : [];
}

function cache({ request }: RunnerCall): string[] {
  return request.fresh ? ['--no-cache'] : [`--cacheDirectory=${join(request.cacheDir, 'jest')}`];
}

/** A tried edit may leave a connection or a timer open, for which Jest would wait. */
function ending({ plan, request }: RunnerCall): string[] {
  return request.loadsOwn === true && !plan.args.includes('--forceExit') ? ['--forceExit'] : [];
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
}
