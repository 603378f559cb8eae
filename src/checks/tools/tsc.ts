import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Check, CheckPlan, CheckReport } from '../../ports.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { dropOptions, dropPositionals, hasOption, optionValue } from '../run/arguments.ts';
import { abnormalEnd, couldNotRun, createReport, notStarted, type Finding } from '../run/check-report.ts';
import { runCheck, type CheckRun } from '../run/check-run.ts';
import { listOutputs, removeNewOutputs } from '../run/emitted-files.ts';
import { isConfigurationError, parseTscOutput } from '../parsers/tsc.ts';
import { createTscListing, type TscListing } from './tsc-listing.ts';
import { listProjects } from './tsconfig-projects.ts';

/** Decided here, or without meaning where nothing is written. */
const DROPPED = {
  flags: [
    ...['noEmit', 'emitDeclarationOnly', 'incremental', 'i', 'composite', 'pretty', 'watch', 'w'],
    ...['build', 'b', 'force', 'f', 'verbose', 'v', 'listFiles', 'listEmittedFiles', 'diagnostics'],
    ...['extendedDiagnostics', 'explainFiles', 'stopBuildOnErrors'],
  ],
  values: [
    'project',
    'p',
    'tsBuildInfoFile',
    'outDir',
    'declarationDir',
    'generateTrace',
    'generateCpuProfile',
  ],
};

/**
 * TypeScript's compiler, 5 to 7, without output. References are followed to every project, build information is
 * kept in a folder of ours, and a run that checked no file is no pass.
 */
export function createTscCheck(plan: CheckPlan): Check {
  return { plan, run: (request) => runCheck(plan, request, runTsc) };
}

/** The arguments of one call of tsc. */
interface Step {
  readonly args: readonly string[];
  /** What one would type: less the options that keep the tree clean. */
  readonly shown: readonly string[];
}

async function runTsc(run: CheckRun): Promise<CheckReport> {
  const { request, plan } = run;
  const bin = resolve(request.root, plan.bin ?? 'node_modules/typescript/bin/tsc');
  const steps = stepsOf(run);
  const command = ['node', relative(run.cwd, bin), ...(steps.at(-1)?.shown ?? [])];
  if (!existsSync(bin))
    return createReport(run, couldNotRun(run, command, notStarted, `${bin} is not there`));
  if (steps.length === 0)
    return createReport(run, couldNotRun(run, command, notStarted, 'it checked no file'));
  const before = steps.some(isBuild) ? await listOutputs(request.root) : new Set<string>();
  const listing = createTscListing(run.paths);
  const outcomes: ProcessOutcome[] = [];
  for (const step of steps) {
    const args = [bin, ...step.args];
    outcomes.push(await run.spawn({ file: process.execPath, args, onOutput: listing.append }));
  }
  removeNewOutputs(request.root, listing.emitted(), before);
  // What is shown of the output is what it says of the code, not the list of files.
  const told = outcomes.map((outcome) => ({ ...outcome, stdout: listing.text(), stderr: '' }));
  return createReport(run, judge(run, { command, outcomes: told, listing }));
}

function stepsOf(run: CheckRun): Step[] {
  const { args } = run.plan;
  const options = dropOptions(args, DROPPED);
  const words = options.filter((word) => !dropPositionals(options).includes(word));
  if (words.length > 0 && !hasOption(args, 'b', 'build')) return [fileStep(options)];
  const compilerOptions = dropPositionals(options);
  const { built, checked } = listProjects(configsOf(run, words));
  const build = built.length === 0 ? [] : [buildStep(run, built)];
  return [...build, ...checked.map((project) => projectStep(run, project, compilerOptions))];
}

function configsOf({ plan, request, cwd }: CheckRun, words: readonly string[]): string[] {
  const named = optionValue(plan.args, 'p', 'project');
  if (named !== undefined) return [resolve(cwd, named)];
  if (words.length > 0) return words.map((word) => resolve(cwd, word));
  return [plan.config === undefined ? join(cwd, 'tsconfig.json') : resolve(request.root, plan.config)];
}

/** Files that stand on the command line are checked without any configuration file. */
function fileStep(options: readonly string[]): Step {
  return {
    args: [...options, '--noEmit', '--pretty', 'false', '--listFiles'],
    shown: [...options, '--noEmit'],
  };
}

/** Declarations are needed by the projects that refer to these; the tree's own build information is not read. */
function buildStep({ cwd }: CheckRun, projects: readonly string[]): Step {
  const shown = [
    '-b',
    ...projects.map((project) => relative(cwd, project)),
    '--force',
    '--emitDeclarationOnly',
  ];
  return { args: [...shown, '--pretty', 'false', '--listFiles', '--listEmittedFiles'], shown };
}

function isBuild({ args }: Step): boolean {
  return args[0] === '-b';
}

function projectStep(run: CheckRun, project: string, options: readonly string[]): Step {
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

/** Composite projects cannot do without build information: a fresh run gets a new file that goes with it. */
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

function judge(run: CheckRun, { command, outcomes, listing }: TscRun): Finding {
  for (const outcome of outcomes) {
    const abnormal = abnormalEnd(run, command, outcome);
    if (abnormal !== undefined) return abnormal;
  }
  const outcome = outcomes.find(({ exitCode }) => exitCode !== 0) ?? outcomes.at(-1)!;
  const diagnostics = parseTscOutput(listing.text(), { check: run.plan.name, paths: run.paths });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const checked = listing.files().size;
  const misconfigured = errors.find(isConfigurationError);
  const finding = { outcome, command, diagnostics, checkedFiles: [...listing.files()] };
  if (misconfigured !== undefined) {
    const detail = `tsc could not run: ${misconfigured.rule} ${misconfigured.message}`;
    return { ...finding, status: 'error', detail };
  }
  if (outcome.exitCode !== 0 && errors.length === 0) return couldNotRun(run, command, outcome);
  if (checked === 0) return couldNotRun(run, command, outcome, 'it checked no file');
  if (outcome.exitCode === 0 && errors.length > 0) {
    return {
      ...finding,
      status: 'fail',
      detail: `tsc printed ${errors.length} errors and yet ended with exit code 0.`,
    };
  }
  if (errors.length > 0)
    return { ...finding, status: 'fail', detail: `${errors.length} errors in ${checked} files.` };
  return { ...finding, status: 'pass', detail: `No error in ${checked} files.` };
}
