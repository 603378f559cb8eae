import type { Check, CheckPlan } from '../../ports.ts';
import { dropOptions, dropPositionals } from '../run/arguments.ts';
import { namePattern } from './narrowing.ts';
import { parseOwnReport } from '../parsers/own-report.ts';
import { reporterFile } from '../reporters/index.ts';
import { createTestCheck, type RunnerCall } from './test-check.ts';

const FLAGS = ['watch', 'w', 'bail', 'b', 'pass-with-no-tests'];
const VALUES = ['reporter', 'R', 'reporter-option', 'reporter-options', 'O'];
const BOOLEANS = [
  ...FLAGS,
  'exit',
  'recursive',
  'parallel',
  'p',
  'check-leaks',
  'colors',
  'color',
  'c',
  'forbid-only',
  'inline-diffs',
];

/** Mocha 9 to 12. */
export function createMochaCheck(plan: CheckPlan): Check {
  return createTestCheck(plan, {
    args: (call) => [
      ...repositoryArgs(call),
      `--reporter=${reporterFile('mocha-reporter')}`,
      `--reporter-option=ralphReport=${call.reportFile}`,
      '--no-bail',
      ...nameFilter(call),
      ...(call.files ?? []),
    ],
    parse: parseOwnReport,
  });
}

function repositoryArgs({ plan, files, request }: RunnerCall): string[] {
  const names = request.only === undefined ? [] : ['g', 'grep', 'f', 'fgrep'];
  const selection = files === undefined ? [] : ['spec'];
  const kept = dropOptions(plan.args, { flags: FLAGS, values: [...VALUES, ...names, ...selection] });
  return files === undefined ? kept : dropPositionals(kept, BOOLEANS);
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : ['--grep', pattern];
}
