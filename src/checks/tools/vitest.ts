import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { shellWord } from '../../platform/processes/shell-words.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { dropOptions, hasOption } from '../run/arguments.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import type { RunnerCall } from './test-check.ts';
import { namePattern } from './test-selection.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://vitest.dev/guide/cli
 */
export const vitestOptions: OptionRules = {
  drop: optionNames(`--run --ui --open --silent --update -u --bail --retry --standalone --color
    --no-color --clearScreen --no-clearScreen --hideSkippedTests --logHeapUsage --coverage --no-coverage
    --inspect --inspect-brk --changed --printConsoleTrace --watch -w --no-watch`),
  dropWithValue: optionNames(`--coverage.provider --coverage.reporter --coverage.include --coverage.exclude
    --coverage.reportsDirectory --reporter --reporters --outputFile --bail --retry --maxWorkers --minWorkers
    --maxThreads --minThreads --max-workers --min-workers --api --slowTestThreshold`),
  keepWithValue:
    optionNames(`-c --config -r --root --dir -t --testNamePattern --project --environment --env --pool
    --mode -m --exclude --testTimeout --hookTimeout --teardownTimeout --workspace --sequence.seed
    --typecheck.tsconfig --browser.name --shard --maxConcurrency --tags-filter`),
  switches: optionNames('--globals --dom --browser --isolate --typecheck'),
  modes: ['run', 'watch', 'dev'],
  otherModes: ['bench', 'list', 'init', 'related', 'typecheck'],
  watch: ['watch', 'dev', '--watch', '-w', '--ui', '--standalone'],
};

/** Settings by which a configuration file limits the number of workers itself. */
const POOL_SETTING =
  /\b(maxWorkers|minWorkers|poolOptions|fileParallelism|single(Thread|Fork)|max(Threads|Forks))\b/;

/** Words by which files share what they load; `placeCopies` knows them as well. */
export const SHARING = /^--(no-isolate|isolate=false)$/;

/** The arguments of Vitest 1 to 5 for one run. */
export function vitestArguments(call: RunnerCall): string[] {
  return [
    'run',
    ...scriptArguments(call),
    ...pinnedConfig(call),
    `--reporter=${call.reporter}`,
    `--outputFile=${call.reportFile}`,
    ...(call.coverage?.options ?? ['--coverage.enabled=false']),
    '--bail=0',
    ...workers(call),
    ...typeChecker(call),
    ...nameFilter(call),
    ...(call.files ?? []),
  ];
}

function scriptArguments({ plan, files, request }: RunnerCall): string[] {
  const names = request.only === undefined ? [] : ['t', 'testNamePattern'];
  const own = request.isolated === true ? plan.args.filter((it) => !SHARING.test(it)) : plan.args;
  const kept = dropOptions(keepArguments(vitestOptions, own), names);
  return files === undefined ? kept : dropOperands(vitestOptions, kept);
}

/** Pins the detected configuration file: one that the actor adds must not take precedence. */
function pinnedConfig({ plan, request }: RunnerCall): string[] {
  const { config, args } = plan;
  const isOwn = config !== undefined && /^vite(st)?\.config\./.test(basename(config));
  return isOwn && !hasOption(args, 'config', 'c') ? [`--config=${resolve(request.root, config)}`] : [];
}

/** One worker per core: twice as fast as Vitest's default on few cores. The repository's own limits win. */
function workers({ plan, request }: RunnerCall): string[] {
  if (hasOption(plan.args, 'maxWorkers', 'minWorkers', 'poolOptions', 'fileParallelism')) return [];
  if (POOL_SETTING.test(configText(plan, request.root))) return [];
  return [`--maxWorkers=${availableParallelism()}`];
}

/**
 * Lets `--typecheck` keep its build information in the cache folder: Vitest would write it beside its own files, where a
 * sandbox loses it. Nothing where another type checker may be configured, or no cache is to be used.
 */
function typeChecker({ plan, request, reportDir }: RunnerCall): string[] {
  const isAsked = plan.args.includes('--typecheck') || hasOption(plan.args, 'typecheck.enabled');
  const isOwn =
    /\bchecker\b/.test(configText(plan, request.root)) || hasOption(plan.args, 'typecheck.checker');
  if (!isAsked || isOwn || request.fresh) return [];
  const file = join(reportDir, 'tsc');
  const buildInfo = shellWord(join(request.cacheDir, 'vitest.tsbuildinfo'));
  writeFileSync(file, `#!/bin/sh\nexec tsc "$@" --tsBuildInfoFile ${buildInfo}\n`, { mode: 0o700 });
  return [`--typecheck.checker=${file}`];
}

function configText({ config }: CheckPlan, root: string): string {
  try {
    return config === undefined ? '' : readTreeTextSync(resolve(root, config));
  } catch {
    return '';
  }
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
}
