import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { scriptNode } from '../../platform/processes/script-node.ts';
import { readBounded, readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { plural } from '../../platform/text/plural.ts';
import { parseEslintReport, type EslintReport } from '../parsers/eslint.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import {
  abnormalEnd,
  couldNotRun,
  createReport,
  describeEnd,
  notStarted,
  type Finding,
} from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://eslint.org/docs/latest/use/command-line-interface
 */
export const eslintOptions: OptionRules = {
  drop: optionNames(`--fix --fix-dry-run --cache --no-cache --color --no-color --debug --stats --init
    --pass-on-no-patterns --suppress-all --prune-suppressions`),
  dropWithValue:
    optionNames(`--format -f --output-file -o --cache-location --cache-file --cache-strategy --fix-type
    --suppress-rule --concurrency`),
  keepWithValue:
    optionNames(`-c --config --ext --max-warnings --rule --rulesdir --ignore-path --ignore-pattern --env
    --global --parser --parser-options --plugin --resolve-plugins-relative-to --report-unused-disable-directives-severity
    --suppressions-location --flag --stdin-filename`),
  switches: optionNames(
    `--quiet --eslintrc --inline-config --warn-ignored --error-on-unmatched-pattern --ignore`,
  ),
  watch: [],
};

/** Signs of rules that read other files than the one they report on: a cache by file content would be stale for them. */
const CROSS_FILE =
  /projectService|parserOptions\W+project\b|["']?\bproject["']?\s*:|TypeChecked|type-checked|requiring-type-checking|import-x|plugin-import|["']import\//;

/** A check of ESLint 8 to 10, with the repository's configuration and arguments. */
export function createEslintCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runEslint) };
}

async function runEslint(run: CheckRun): Promise<CheckReport> {
  const { plan, request } = run;
  const bin = resolve(request.root, plan.bin ?? 'node_modules/eslint/bin/eslint.js');
  const shown = scriptArguments(run);
  const command = ['node', relative(run.cwd, bin), ...shown];
  if (!existsSync(bin))
    return createReport(run, couldNotRun(run, command, notStarted, `${bin} does not exist`));
  const reportFile = join(run.reportDir, 'eslint.json');
  const args = [
    bin,
    ...shown,
    // Where the script corrects files first, what that leaves is judged.
    ...(plan.corrects === true ? ['--fix-dry-run'] : []),
    '--no-color',
    '--format',
    'json',
    '-o',
    reportFile,
    ...cacheArguments(run, bin),
  ];
  const outcome = await run.spawn({ file: scriptNode().path, args });
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return createReport(run, abnormal);
  const text = await readBounded(reportFile).catch(() => '');
  const report = parseEslintReport(text, { check: plan.name, paths: run.paths });
  return createReport(run, toFinding(run, { command, outcome }, report));
}

function scriptArguments({ plan, request, cwd }: CheckRun): string[] {
  const kept = keepArguments(eslintOptions, plan.args);
  const options = dropOperands(eslintOptions, kept);
  if (request.files !== undefined) {
    return [...options, ...request.files.map((file) => relative(cwd, join(request.root, file)))];
  }
  return options.length === kept.length ? [...kept, '.'] : kept;
}

/** No cache for ESLint before 7.21, which knows none by content. */
function cacheArguments({ plan, request }: CheckRun, bin: string): string[] {
  if (request.fresh || isBeforeCacheStrategy(bin) || CROSS_FILE.test(configText(plan, request.root)))
    return [];
  const location = join(request.cacheDir, `eslint-${plan.name}.json`);
  return ['--cache', '--cache-location', location, '--cache-strategy', 'content'];
}

/** By the version in the package.json above `bin/eslint.js`; false where it cannot be read. */
function isBeforeCacheStrategy(bin: string): boolean {
  try {
    const { version } = JSON.parse(readTreeTextSync(join(bin, '../../package.json'))) as {
      readonly version: string;
    };
    const [major, minor] = version.split('.').map(Number);
    return major! < 7 || (major === 7 && minor! < 21);
  } catch {
    return false;
  }
}

/** The text of the configuration; package.json where it has no file of its own. */
function configText({ config, cwd }: CheckPlan, root: string): string {
  try {
    return readTreeTextSync(resolve(root, config ?? join(cwd, 'package.json')));
  } catch {
    return '';
  }
}

type Ended = Pick<Finding, 'command'> & { readonly outcome: ProcessOutcome };

function toFinding(run: CheckRun, ended: Ended, report: EslintReport | undefined): Finding {
  const { outcome, command } = ended;
  const { exitCode } = outcome;
  if (report === undefined || (exitCode !== 0 && exitCode !== 1)) return couldNotRun(run, command, outcome);
  const { diagnostics, files } = report;
  if (files.length === 0) return couldNotRun(run, command, outcome, 'it linted no file');
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const counts = `${plural(errors, 'error')} and ${plural(warnings, 'warning')} in ${plural(files.length, 'file')}`;
  const finding = { ...ended, diagnostics, checkedFiles: files };
  if (errors > 0) {
    const conflict = exitCode === 0 ? ', but eslint ended with exit code 0' : '';
    return { ...finding, status: 'fail', detail: `${counts}${conflict}.` };
  }
  if (exitCode === 0) return { ...finding, status: 'pass', detail: `${counts}.` };
  const detail = `${counts}, but eslint ended with ${describeEnd(outcome)}: too many warnings.`;
  const tooMany = createDiagnostic({ type: 'lint_error', check: run.plan.name, message: detail }, run.paths);
  return { ...finding, status: 'fail', detail, diagnostics: [tooMany, ...diagnostics] };
}
