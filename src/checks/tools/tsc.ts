import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { scriptNode } from '../../platform/processes/script-node.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { plural } from '../../platform/text/plural.ts';
import { isConfigurationError, parseTscOutput } from '../parsers/tsc.ts';
import { dropOptions, hasOption, optionValue } from '../run/arguments.ts';
import { abnormalEnd, couldNotRun, createReport, notStarted, type Finding } from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import { createTscListing, type TscListing } from './tsc-listing.ts';
import { listOutputs, removeNewOutputs } from './tsc-outputs.ts';
import { listProjects } from './tsconfig-projects.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://www.typescriptlang.org/docs/handbook/compiler-options.html
 */
export const tscOptions: OptionRules = {
  drop: optionNames(`--noEmit --composite --explainFiles -i --watch -w --pretty --incremental --preserveWatchOutput --diagnostics
    --extendedDiagnostics --listFiles --listEmittedFiles --traceResolution --build -b --force -f --verbose -v
    --dry -d --emitDeclarationOnly --stopBuildOnErrors`),
  dropWithValue: ['--tsBuildInfoFile', '--generateTrace', '--generateCpuProfile'],
  keepWithValue:
    optionNames(`-p --project --target -t --module -m --moduleResolution --lib --jsx --rootDir --outDir
    --types --typeRoots --baseUrl --jsxFactory --jsxImportSource --customConditions --moduleDetection
    --ignoreDeprecations --newLine --declarationDir`),
  watch: ['--watch', '-w'],
};

/** Options that this adapter replaces: it passes the projects one by one and writes no file. */
const REPLACED = ['project', 'p', 'outDir', 'declarationDir'];

/**
 * A check of TypeScript's compiler, 5 to 7, that writes no output. It follows references to every project, keeps
 * build information in the check's cache folder, and reports an error where no file was checked.
 */
export function createTscCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runTsc) };
}

/** The arguments of one call of tsc. */
interface TscCall {
  readonly args: readonly string[];
  /** The same without the options that keep the tree clean, as a user would type them. */
  readonly shown: readonly string[];
}

async function runTsc(run: CheckRun): Promise<CheckReport> {
  const { request, plan } = run;
  const bin = resolve(request.root, plan.bin ?? 'node_modules/typescript/bin/tsc');
  const calls = callsOf(run);
  const command = ['node', relative(run.cwd, bin), ...(calls.at(-1)?.shown ?? [])];
  if (!existsSync(bin))
    return createReport(run, couldNotRun(run, command, notStarted, `${bin} does not exist`));
  if (calls.length === 0)
    return createReport(run, couldNotRun(run, command, notStarted, 'it checked no file'));
  const before = calls.some(isBuild) ? await listOutputs(request.root) : new Set<string>();
  const listing = createTscListing(run.paths);
  const outcomes: ProcessOutcome[] = [];
  for (const call of calls) {
    const args = [bin, ...call.args];
    outcomes.push(await run.spawn({ file: scriptNode().path, args, onOutput: listing.append }));
  }
  removeNewOutputs(request.root, listing.emitted(), before);
  // The report shows the errors, without the listed files.
  const shown = outcomes.map((outcome) => ({ ...outcome, stdout: listing.text(), stderr: '' }));
  return createReport(run, toFinding(run, { command, outcomes: shown, listing }));
}

function callsOf(run: CheckRun): TscCall[] {
  const { args } = run.plan;
  const options = dropOptions(keepArguments(tscOptions, args), REPLACED);
  const compilerOptions = dropOperands(tscOptions, options);
  const operands = options.filter((word) => !compilerOptions.includes(word));
  if (operands.length > 0 && !hasOption(args, 'b', 'build')) return [filesCall(options)];
  const { built, checked } = listProjects(configsOf(run, operands));
  const build = built.length === 0 ? [] : [buildCall(run, built)];
  return [...build, ...checked.map((project) => projectCall(run, project, compilerOptions))];
}

function configsOf({ plan, request, cwd }: CheckRun, operands: readonly string[]): string[] {
  const named = optionValue(plan.args, 'p', 'project');
  if (named !== undefined) return [resolve(cwd, named)];
  if (operands.length > 0) return operands.map((word) => resolve(cwd, word));
  return [plan.config === undefined ? join(cwd, 'tsconfig.json') : resolve(request.root, plan.config)];
}

/** With files on the command line tsc reads no configuration file. */
function filesCall(options: readonly string[]): TscCall {
  return {
    args: [...options, '--noEmit', '--pretty', 'false', '--listFiles'],
    shown: [...options, '--noEmit'],
  };
}

/** Emits the declarations that referring projects need. `--force`: the tree's own build information may be stale. */
function buildCall({ cwd }: CheckRun, projects: readonly string[]): TscCall {
  const shown = [
    '-b',
    ...projects.map((project) => relative(cwd, project)),
    '--force',
    '--emitDeclarationOnly',
  ];
  return { args: [...shown, '--pretty', 'false', '--listFiles', '--listEmittedFiles'], shown };
}

function isBuild({ args }: TscCall): boolean {
  return args[0] === '-b';
}

function projectCall(run: CheckRun, project: string, options: readonly string[]): TscCall {
  const shown = ['-p', relative(run.cwd, project), ...options, '--noEmit'];
  const own = [
    '--emitDeclarationOnly',
    'false',
    '--incremental',
    '--tsBuildInfoFile',
    buildInfoFile(run, shown),
  ];
  return { args: [...shown, '--pretty', 'false', '--listFiles', ...own], shown };
}

/** Composite projects require a build information file: a fresh run gets a new one in its report folder. */
function buildInfoFile({ request, reportDir, plan }: CheckRun, shown: readonly string[]): string {
  const key = createHash('sha256')
    .update([plan.cwd, plan.version, ...shown].join('\0'))
    .digest('hex')
    .slice(0, 16);
  return join(request.fresh ? reportDir : join(request.cacheDir, 'tsc'), `${key}.tsbuildinfo`);
}

interface TscRun {
  readonly command: readonly string[];
  readonly outcomes: readonly ProcessOutcome[];
  readonly listing: TscListing;
}

function toFinding(run: CheckRun, { command, outcomes, listing }: TscRun): Finding {
  for (const outcome of outcomes) {
    const abnormal = abnormalEnd(run, command, outcome);
    if (abnormal !== undefined) return abnormal;
  }
  const outcome = outcomes.find(({ exitCode }) => exitCode !== 0) ?? outcomes.at(-1)!;
  const diagnostics = parseTscOutput(listing.text(), { check: run.plan.name, paths: run.paths });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const checkedFiles = [...listing.files()];
  const finding = { outcome, command, diagnostics, checkedFiles };
  const misconfigured = errors.find(isConfigurationError);
  if (misconfigured !== undefined) {
    const detail = `tsc could not run: ${misconfigured.rule} ${misconfigured.message}`;
    return { ...finding, status: 'error', detail };
  }
  if (outcome.exitCode !== 0 && errors.length === 0) return couldNotRun(run, command, outcome);
  if (checkedFiles.length === 0) return couldNotRun(run, command, outcome, 'it checked no file');
  const files = plural(checkedFiles.length, 'file');
  if (errors.length === 0) return { ...finding, status: 'pass', detail: `No errors in ${files}.` };
  const counted = plural(errors.length, 'error');
  const detail =
    outcome.exitCode === 0
      ? `tsc printed ${counted}, but ended with exit code 0.`
      : `${counted} in ${files}.`;
  return { ...finding, status: 'fail', detail };
}
