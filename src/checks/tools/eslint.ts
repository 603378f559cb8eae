import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check, CheckPlan, CheckReport } from '../../ports.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { readBounded } from '../../platform/files/read-bounded.ts';
import { dropOptions, dropPositionals } from '../run/arguments.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  endOf,
  notStarted,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import { parseEslintReport, type EslintReport } from '../parsers/eslint.ts';

const DROPPED = {
  flags: ['fix', 'fix-dry-run', 'cache', 'color', 'debug'],
  values: ['format', 'f', 'output-file', 'o', 'cache-location', 'cache-file', 'cache-strategy', 'fix-type'],
};
const BOOLEANS = [
  'quiet',
  'eslintrc',
  'inline-config',
  'warn-ignored',
  'error-on-unmatched-pattern',
  'ignore',
];

/** Rules that look at other files than the one they judge: a cache by file content would be stale for them. */
const CROSS_FILE =
  /projectService|parserOptions\W+project\b|["']?\bproject["']?\s*:|TypeChecked|type-checked|requiring-type-checking|import-x|plugin-import|["']import\//;

/** ESLint 8 to 10, with the repository's configuration and arguments. */
export function createEslintCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runEslint) };
}

async function runEslint(run: CheckRun): Promise<CheckReport> {
  const { plan, request } = run;
  const bin = resolve(request.root, plan.bin ?? 'node_modules/eslint/bin/eslint.js');
  const shown = repositoryArgs(run);
  const command = ['node', relative(run.cwd, bin), ...shown];
  if (!existsSync(bin))
    return createReport(run, couldNotRun(run, command, notStarted, `${bin} is not there`));
  const reportFile = join(run.reportDir, 'eslint.json');
  const args = [bin, ...shown, '--no-color', '--format', 'json', '-o', reportFile, ...cacheArgs(run)];
  const outcome = await run.spawn({ file: process.execPath, args });
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const text = await readBounded(reportFile).catch(() => '');
  const report = parseEslintReport(text, { check: plan.name, paths: run.paths });
  return createReport(run, judge(run, { command, outcome }, report));
}

function repositoryArgs({ plan, request, cwd }: CheckRun): string[] {
  const kept = dropOptions(plan.args, DROPPED);
  if (request.files !== undefined) {
    return [
      ...dropPositionals(kept, BOOLEANS),
      ...request.files.map((file) => relative(cwd, join(request.root, file))),
    ];
  }
  return dropPositionals(kept, BOOLEANS).length === kept.length ? [...kept, '.'] : kept;
}

function cacheArgs({ plan, request }: CheckRun): string[] {
  if (request.fresh || CROSS_FILE.test(configText(plan, request.root))) return [];
  const location = join(request.cacheDir, `eslint-${plan.name}.json`);
  return ['--cache', '--cache-location', location, '--cache-strategy', 'content'];
}

/** Without a file of its own, the configuration stands in package.json. */
function configText({ config, cwd }: CheckPlan, root: string): string {
  try {
    return readFileSync(resolve(root, config ?? join(cwd, 'package.json')), 'utf8');
  } catch {
    return '';
  }
}

type Ended = Pick<Finding, 'command'> & { readonly outcome: ProcessOutcome };

function judge(run: CheckRun, ended: Ended, report: EslintReport | undefined): Finding {
  const { outcome, command } = ended;
  const exitCode = outcome.exitCode;
  if (report === undefined || (exitCode !== 0 && exitCode !== 1)) return couldNotRun(run, command, outcome);
  const { diagnostics } = report;
  const fileCount = report.files.length;
  if (fileCount === 0) return couldNotRun(run, command, outcome, 'it linted no file');
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const counts = `${errors} errors and ${warnings} warnings in ${fileCount} files`;
  const finding = { ...ended, diagnostics, checkedFiles: report.files };
  if (errors > 0) {
    const objection = exitCode === 0 ? ', and yet eslint ended with exit code 0' : '';
    return { ...finding, status: 'fail', detail: `${counts}${objection}.` };
  }
  if (exitCode === 0) return { ...finding, status: 'pass', detail: `${counts}.` };
  const detail = `${counts}, and yet eslint ended with ${endOf(outcome)}: too many warnings.`;
  const objection = createDiagnostic(
    { type: 'lint_error', check: run.plan.name, message: detail },
    run.paths,
  );
  return { ...finding, status: 'fail', detail, diagnostics: [objection, ...diagnostics] };
}
