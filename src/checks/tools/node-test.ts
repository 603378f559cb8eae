import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Check } from '../../ports.ts';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { reporterFile } from '../reporters/index.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import { createTestCheck, type RunnerCall, type TestRunner } from './test-check.ts';
import { missingTests, namePattern } from './test-selection.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://nodejs.org/api/cli.html
 */
export const nodeTestOptions: OptionRules = {
  drop: optionNames(`--test --watch --experimental-test-coverage --test-update-snapshots --inspect --inspect-brk
    --no-warnings=ExperimentalWarning --test-only=false --trace-uncaught`),
  dropWithValue: optionNames(`--test-reporter --test-reporter-destination --test-coverage-include
    --test-coverage-exclude --test-coverage-lines --test-coverage-branches --test-coverage-functions
    --test-rerun-failures --watch-path`),
  keepWithValue: optionNames(`--require -r --import --loader --experimental-loader --conditions -C --env-file
    --env-file-if-exists --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout
    --test-shard --test-isolation --test-global-setup --test-tags --experimental-config-file`),
  switches: optionNames(`--test-only --test-force-exit --warnings --enable-source-maps
    --experimental-strip-types`),
  watch: ['--watch'],
};

/** The arguments of `node --test` for one run, by the Node that runs ralph. */
export function nodeTestArguments(call: RunnerCall): string[] {
  return [
    '--test',
    `--import=${pathToFileURL(reporterFile('node-exit-mark')).href}`,
    `--test-reporter=${call.reporter}`,
    `--test-reporter-destination=${call.reportFile}`,
    ...(call.coverage?.options ?? []),
    ...nameFilter(call),
    ...concurrency(call),
    ...scriptArguments(call),
    ...(call.files ?? []),
  ];
}

/** As many files at once as there are cores: Node leaves one free. Tests that run again have nothing beside them. */
function concurrency({ plan: { args, env }, request }: RunnerCall): string[] {
  const given = [...args, env?.['NODE_OPTIONS'] ?? ''].some((it) => it.includes('--test-concurrency'));
  return given || request.only !== undefined ? [] : [`--test-concurrency=${availableParallelism()}`];
}

/**
 * A check of `node --test`. Its name filter never reaches a subtest (`t.test`), so that the files run again without
 * the filter where a subtest that was asked for is missing.
 */
export function createNodeTestCheck(plan: CheckPlan, runner: TestRunner): Check {
  const filtered = createTestCheck(plan, runner);
  const wholeFiles = createTestCheck(plan, {
    ...runner,
    args: (call) => runner.args({ ...call, request: { ...call.request, only: undefined } }),
  });
  return { plan, run: (request) => runWithSubtests(request, filtered, wholeFiles) };
}

function scriptArguments({ plan, files }: RunnerCall): string[] {
  const kept = keepArguments(nodeTestOptions, plan.args);
  return files === undefined ? kept : dropOperands(nodeTestOptions, kept);
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--test-name-pattern=${pattern}`];
}

async function runWithSubtests(
  request: CheckRequest,
  filtered: Check,
  wholeFiles: Check,
): Promise<CheckReport> {
  const report = await filtered.run(request);
  if (namePattern(request) === undefined || report.status === 'error') return report;
  const missing = missingTests(report.tests, request);
  return missing.some((test) => test.name.includes(' > ')) ? wholeFiles.run(request) : report;
}
