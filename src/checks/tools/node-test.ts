import { pathToFileURL } from 'node:url';
import type { Check, CheckPlan, CheckReport, CheckRequest } from '../../ports.ts';
import { dropOptions, dropPositionals } from '../run/arguments.ts';
import { missingTests, namePattern } from './narrowing.ts';
import { parseOwnReport } from '../parsers/own-report.ts';
import { reporterFile } from '../reporters/index.ts';
import { createTestCheck, type RunnerCall } from './test-check.ts';

const DROPPED = {
  flags: ['test', 'watch', 'experimental-test-coverage', 'test-update-snapshots'],
  values: ['test-reporter', 'test-reporter-destination'],
};
const BOOLEANS = [
  'test-only',
  'test-force-exit',
  'warnings',
  'enable-source-maps',
  'experimental-strip-types',
];

/** Node's own runner, `node --test`, of the Node that runs ralph. */
export function createNodeTestCheck(plan: CheckPlan): Check {
  const filtered = createRunner(plan, nameFilter);
  const wholeFiles = createRunner(plan, () => []);
  return { plan, run: (request) => runWithSubtests(request, filtered, wholeFiles) };
}

function createRunner(plan: CheckPlan, filter: (call: RunnerCall) => string[]): Check {
  return createTestCheck(plan, {
    args: (call) => [
      '--test',
      `--import=${pathToFileURL(reporterFile('node-exit-mark')).href}`,
      `--test-reporter=${reporterFile('node-reporter')}`,
      `--test-reporter-destination=${call.reportFile}`,
      ...filter(call),
      ...repositoryArgs(call),
      ...(call.files ?? []),
    ],
    parse: parseOwnReport,
  });
}

function repositoryArgs({ plan, files }: RunnerCall): string[] {
  const kept = dropOptions(plan.args, DROPPED);
  return files === undefined ? kept : dropPositionals(kept, BOOLEANS);
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : [`--test-name-pattern=${pattern}`];
}

/**
 * Node's name filter never reaches a test that another test starts (`t.test`): where one that was asked for did
 * not run, its file runs whole.
 */
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
