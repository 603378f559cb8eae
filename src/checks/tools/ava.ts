import type { Check, CheckPlan } from '../../ports.ts';
import { dropOptions, dropPositionals } from '../run/arguments.ts';
import { titleGlobs } from './narrowing.ts';
import { parseOwnReport } from '../parsers/own-report.ts';
import { reporterFile } from '../reporters/index.ts';
import { createTestCheck, type RunnerCall } from './test-check.ts';

const FLAGS = ['watch', 'w', 'tap', 't', 'update-snapshots', 'u', 'fail-fast', 'verbose', 'v'];
const BOOLEANS = ['serial', 's', 'worker-threads', 'color'];

/** AVA 3 to 7. */
export function createAvaCheck(plan: CheckPlan): Check {
  return createTestCheck(plan, {
    nodeArgs: (call) => [reporterFile('ava-runner'), call.reportFile],
    args: (call) => [
      ...repositoryArgs(call),
      '--no-tap',
      '--no-fail-fast',
      ...titleGlobs(call.request).map((glob) => `--match=${glob}`),
      ...(call.files ?? []),
    ],
    parse: parseOwnReport,
  });
}

function repositoryArgs({ plan, files, request }: RunnerCall): string[] {
  const values = request.only === undefined ? [] : ['match', 'm'];
  const kept = dropOptions(plan.args, { flags: FLAGS, values });
  return files === undefined ? kept : dropPositionals(kept, BOOLEANS);
}
