import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Check, CheckPlan } from '../../ports.ts';
import { dropOptions, dropPositionals, hasOption } from '../run/arguments.ts';
import { namePattern } from './narrowing.ts';
import { parseOwnReport } from '../parsers/own-report.ts';
import { reporterFile } from '../reporters/index.ts';
import { createTestCheck, type RunnerCall } from './test-check.ts';

const FLAGS = ['watch', 'w', 'ui', 'open', 'coverage', 'passWithNoTests', 'update', 'u', 'bail'];
const BOOLEANS = [...FLAGS, 'run', 'globals', 'dom', 'silent', 'browser', 'isolate', 'typecheck'];
const SUBCOMMANDS = ['run', 'watch', 'dev'];
const POOL_SETTING =
  /\b(maxWorkers|minWorkers|poolOptions|fileParallelism|single(Thread|Fork)|max(Threads|Forks))\b/;

/** Vitest 1 to 5. */
export function createVitestCheck(plan: CheckPlan): Check {
  return createTestCheck(plan, {
    args: (call) => [
      'run',
      ...repositoryArgs(call),
      ...pinnedConfig(call),
      `--reporter=${reporterFile('vitest-reporter')}`,
      `--outputFile=${call.reportFile}`,
      '--coverage.enabled=false',
      '--bail=0',
      ...workers(call),
      ...nameFilter(call),
      ...(call.files ?? []),
    ],
    parse: parseOwnReport,
  });
}

function repositoryArgs({ plan, files, request }: RunnerCall): string[] {
  const withoutCommand = SUBCOMMANDS.includes(plan.args[0] ?? '') ? plan.args.slice(1) : plan.args;
  const values = [
    'reporter',
    'reporters',
    'outputFile',
    ...(request.only === undefined ? [] : ['t', 'testNamePattern']),
  ];
  const kept = dropOptions(withoutCommand, { flags: FLAGS, values }).filter((word) => word !== '--run');
  return files === undefined ? kept : dropPositionals(kept, BOOLEANS);
}

/** A configuration file that appears later must not take precedence over the one that was detected. */
function pinnedConfig({ plan, request }: RunnerCall): string[] {
  const { config, args } = plan;
  if (
    config === undefined ||
    hasOption(args, 'config', 'c') ||
    !/^vite(st)?\.config\./.test(basename(config))
  )
    return [];
  return [`--config=${resolve(request.root, config)}`];
}

/** Twice as fast as vitest's own default on few cores; not where the repository sets its own limits. */
function workers({ plan, request }: RunnerCall): string[] {
  if (hasOption(plan.args, 'maxWorkers', 'minWorkers', 'poolOptions', 'fileParallelism')) return [];
  if (POOL_SETTING.test(configText(plan, request.root))) return [];
  return [`--maxWorkers=${availableParallelism()}`];
}

function configText({ config }: CheckPlan, root: string): string {
  try {
    return config === undefined ? '' : readFileSync(resolve(root, config), 'utf8');
  } catch {
    return '';
  }
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
}
