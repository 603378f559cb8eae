import { resolve } from 'node:path';
import type { CheckSettings } from '../checks/requests.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { failureType } from '../checks/results/failure-type.ts';
import { printedCrash } from '../checks/results/printed-error.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import { describeEnd, outputTail } from '../checks/run/check-report.ts';
import { addFailure, type ScoredReport } from '../checks/score/reward.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess, type ProcessOutcome } from '../platform/processes/process.ts';
import { toolEnvironment } from '../platform/processes/tool-environment.ts';
import type { PristineTree } from '../ports.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { CheckPlan, CommandPlan, CommandStep } from '../ports/plan.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { createCheck } from '../tools.ts';
import { describeUndelivered } from './delivery/undelivered.ts';

/** Opens the checkout of the tree on first use; undefined if the tree is checked where it lies. */
export type OpenPristine = () => Promise<PristineTree | undefined>;

/** Why the repository's own test command does not confirm a tree whose checks are green. */
export interface CommandFailure {
  /** One sentence, or two. */
  readonly detail: string;
  readonly diagnostic: Diagnostic;
}

/** The result of running the repository's own test command. */
export interface Confirmation {
  /** Absent if nothing failed. */
  readonly failure?: CommandFailure | undefined;
  /** A clause on commands that fail on the untouched tree too and were left out; absent if all were run. */
  readonly leftOut?: string | undefined;
}

/** Rule of the note on commands of a test script that were left out. */
export const PARTLY_CONFIRMED = 'partly-confirmed';

/** Whether no check failed. */
export function isGreen(reports: readonly ScoredReport[]): boolean {
  return reports.every(({ status }) => status === 'pass' || status === 'skip');
}

/** The reports with a failure of the test command, or a note on it, in the first test check. */
export function withConfirmation(
  reports: readonly ScoredReport[],
  { failure, leftOut }: Confirmation,
  root: string,
): readonly ScoredReport[] {
  const target = reports.find(({ kind }) => kind === 'tests') ?? reports[0];
  if (target === undefined) return reports;
  const changed = (): ScoredReport => {
    if (failure !== undefined) {
      const failed = addFailure(target, failure.detail);
      return { ...failed, diagnostics: [failure.diagnostic, ...failed.diagnostics] };
    }
    if (leftOut === undefined) return target;
    const fields = { type: 'other', check: target.name, severity: 'info', rule: PARTLY_CONFIRMED } as const;
    const note = createDiagnostic({ ...fields, message: leftOut }, createTreePaths(root, root));
    return { ...target, diagnostics: [note, ...target.diagnostics] };
  };
  return reports.map((report) => (report === target ? changed() : report));
}

/** Whether the repository has a test command that does more than its checks. */
export function addsToChecks(settings: CheckSettings): boolean {
  return addedCommands(settings).length > 0;
}

type CommandLine = CommandPlan & Pick<CommandStep, 'env'>;
type ShellLine = Pick<CommandPlan, 'command' | 'cwd' | 'setup'> & Pick<CommandStep, 'env'>;

/**
 * The commands that the test command runs and no check does, in order, with the builds in front of them; the test command
 * itself where its commands are not known.
 */
function addedCommands({ plan: { testCommand: own, checks } }: CheckSettings): readonly ShellLine[] {
  const isOwn = ({ tool, args, cwd }: CheckPlan): boolean =>
    tool === 'command' && args[0] === own?.command && cwd === own?.cwd;
  if (own === undefined || checks.some(isOwn)) return [];
  const { setup } = own;
  const steps = own.steps ?? own.observedSteps;
  if (steps === undefined) return [own];
  const left = steps.filter(({ check }) => check === undefined);
  const last = left.findLastIndex(({ isSetup = false }) => !isSetup);
  return left.slice(0, last + 1).map(({ command, cwd, env }) => ({ command, cwd, env, setup }));
}

/**
 * Runs the repository's own test command once, as the repository defines it, in a checkout of what would be delivered where
 * there is one. Without a test command, the command checks or else the test checks of a candidate run in the checkout; for
 * any other tree, nothing runs for a project whose checks are that same command. `openBase` opens a checkout of the
 * untouched tree, which closes the other one.
 */
export async function runConfirmation(
  settings: CheckSettings,
  request: EvaluationRequest,
  openPristine: OpenPristine = () => Promise.resolve(undefined),
  openBase?: OpenPristine,
): Promise<Confirmation> {
  const { plan, checkTimeoutMs } = settings;
  const target = plan.checks.find(({ kind }) => kind === 'tests') ?? plan.checks[0];
  if (target === undefined || (request.isOwn === true && !addsToChecks(settings))) return {};
  const pristine = await openPristine();
  const timeoutMs = checkTimeoutMs * plan.checks.length;
  const run = { settings, request, timeoutMs, check: target.name, pristine, openBase };
  const excused: string[] = [];
  let failure: CommandFailure | undefined;
  const isCandidate = pristine !== undefined && request.isOwn !== true;
  for (const command of commandsOf(settings, isCandidate))
    failure ??= await runByParts(command, { ...run, pristine: await openPristine() }, excused);
  if (isCandidate && plan.testCommand === undefined) failure ??= await runTestChecks(run, pristine);
  return { failure, leftOut: failure === undefined ? describeLeftOut(plan.testCommand, excused) : undefined };
}

/**
 * Runs what the test command of the user's own tree does beside its checks. A failure says little: a command may need what
 * another one left behind.
 */
export async function runAdded(
  settings: CheckSettings,
  request: EvaluationRequest,
  openPristine: OpenPristine,
): Promise<Confirmation> {
  const { plan, checkTimeoutMs } = settings;
  const pristine = await openPristine();
  const timeoutMs = checkTimeoutMs * plan.checks.length;
  const run = { settings, request, timeoutMs, check: plan.checks[0]!.name, pristine, openBase: undefined };
  for (const command of addedCommands(settings)) {
    const failure = await runTestCommand(command, run);
    if (failure !== undefined) return { failure };
  }
  return {};
}

function describeLeftOut(own: CommandPlan | undefined, excused: readonly string[]): string | undefined {
  if (own === undefined || excused.length === 0) return undefined;
  const named = [...new Set(excused)].map((command) => `\`${command}\``).join(', ');
  return `\`${own.command}\` confirmed it without ${named}, which ${excused.length === 1 ? 'fails' : 'fail'} on the untouched tree too`;
}

/**
 * The command lines to run: the test command, and for a candidate the criteria that are commands; for a candidate without a
 * test command, every command check.
 */
function commandsOf({ plan }: CheckSettings, isCandidate: boolean): readonly CommandLine[] {
  const { testCommand: own } = plan;
  const commands = plan.checks.filter(({ tool }) => tool === 'command');
  const hasRun = commands.some(({ args, cwd }) => args[0] === own?.command && cwd === own?.cwd);
  if (!isCandidate) return own === undefined || hasRun ? [] : [own];
  const again = own === undefined ? commands : commands.filter(({ criterion }) => criterion !== undefined);
  // As in the check: with the programs of installed packages on the PATH.
  const lines = again.map(({ args, cwd, env }) => ({ command: args[0]!, cwd, env: env ?? {} }));
  return own === undefined ? lines : [own, ...lines];
}

interface CommandRun {
  readonly settings: CheckSettings;
  readonly request: EvaluationRequest;
  readonly timeoutMs: number;
  /** Name of the check that a failure is reported for. */
  readonly check: string;
  readonly pristine: PristineTree | undefined;
  readonly openBase: OpenPristine | undefined;
}

/**
 * The failure of a command. One that fails on the untouched tree as well can never be green: then the commands that it
 * runs are run one by one, without those which the baseline set aside and those which no check runs and which fail in the
 * same way on the untouched tree. `excused` gets the commands that were left out.
 */
async function runByParts(
  plan: CommandPlan,
  run: CommandRun,
  excused: string[],
): Promise<CommandFailure | undefined> {
  const failure = await runTestCommand(plan, run);
  const { request, openBase } = run;
  if (failure === undefined || request.isOwn === true || openBase === undefined) return failure;
  const skipped = new Set(
    request.baseline?.checks.filter(({ status }) => status === 'skip').map(({ name }) => name),
  );
  const left: { readonly step: CommandStep; readonly failed: CommandFailure }[] = [];
  for (const step of plan.steps ?? []) {
    const isSetAside = step.check !== undefined && skipped.has(step.check);
    const failed = isSetAside ? undefined : await runTestCommand({ setup: plan.setup, ...step }, run);
    if (failed !== undefined && step.check !== undefined) return failed;
    if (isSetAside) excused.push(step.command);
    if (failed !== undefined) left.push({ step, failed });
  }
  if (excused.length + left.length === 0) return failure;
  const base = left.length === 0 ? undefined : await openBase();
  for (const { step, failed } of left) {
    const before = base && (await runTestCommand({ setup: plan.setup, ...step }, { ...run, pristine: base }));
    if (before?.diagnostic.fingerprint !== failed.diagnostic.fingerprint) return failed;
    excused.push(step.command);
  }
  return undefined;
}

async function runTestCommand(plan: ShellLine, run: CommandRun): Promise<CommandFailure | undefined> {
  const { settings, request, timeoutMs, check, pristine } = run;
  const root = pristine?.root ?? request.root;
  const cwd = resolve(root, plan.cwd);
  const outcome = await runProcess({
    shell: [...(plan.setup ?? []).map((line) => `(${line})`), plan.command].join(' && '),
    cwd,
    env: plan.env === undefined ? childEnvironment() : toolEnvironment([cwd, root], plan.env),
    timeoutMs,
    signal: request.signal,
    sandbox: pristine === undefined ? settings.sandbox : pristine.sandbox,
    ownFolder: pristine?.root,
  });
  if (outcome.exitCode === 0 && !outcome.timedOut && !outcome.aborted) return undefined;
  const output = outputTail(outcome);
  const end = describeFailure(outcome, timeoutMs);
  const cause = causeOf(outcome, output);
  const detail =
    pristine === undefined
      ? `Every check is green, but \`${plan.command}\` ${end}${cause}.`
      : `Every check is green, but \`${plan.command}\` ${end} in a clean checkout of ${request.isOwn === true ? 'your tree' : 'the change'}${cause}.${describeUndelivered({ worked: request.root, delivered: root, packageDir: plan.cwd, output, isOwn: request.isOwn === true })}`;
  return failureOf(detail, { check, outcome, root, cwd });
}

/** Runs the test checks in the checkout, with their setup. */
async function runTestChecks(
  { settings, request, timeoutMs, check }: CommandRun,
  { root, sandbox }: PristineTree,
): Promise<CommandFailure | undefined> {
  const { cacheDir } = settings;
  for (const plan of settings.plan.checks.filter(
    ({ kind, tool }) => kind === 'tests' && tool !== 'command',
  )) {
    const { signal } = request;
    const asked = { root, cacheDir, fresh: true, timeoutMs, signal, sandbox };
    const report = await createCheck(plan).run(asked);
    if (report.status === 'pass' || report.status === 'skip') continue;
    const left = describeUndelivered({
      worked: request.root,
      delivered: root,
      packageDir: plan.cwd,
      output: report.output,
      isOwn: false,
    });
    const detail = `Every check is green, but not in a clean checkout of the change: ${report.detail}${left}`;
    const message = `${detail}\n${report.output}`;
    const fields = { type: 'other', check, message } as const;
    return { detail, diagnostic: createDiagnostic(fields, createTreePaths(root, resolve(root, plan.cwd))) };
  }
  return undefined;
}

interface FailedCommand {
  readonly check: string;
  readonly outcome: ProcessOutcome;
  readonly root: string;
  readonly cwd: string;
}

function failureOf(detail: string, { check, outcome, root, cwd }: FailedCommand): CommandFailure {
  const message = `${detail}\n${outputTail(outcome)}`;
  const fields = { type: typeOf(outcome), check, message };
  return { detail, diagnostic: createDiagnostic(fields, createTreePaths(root, cwd)) };
}

function typeOf(outcome: ProcessOutcome): Diagnostic['type'] {
  if (outcome.timedOut) return 'timeout';
  const isSyntaxError = failureType({ message: outputTail(outcome) }) === 'syntax_error';
  return isSyntaxError ? 'syntax_error' : 'other';
}

/** The error by which it ended, behind a colon; empty where the output does not end in a crash. */
function causeOf({ exitCode }: ProcessOutcome, output: string): string {
  const crash = exitCode === null || exitCode === 0 ? undefined : printedCrash(output);
  return crash === undefined ? '' : `: ${crash}`;
}

function describeFailure(outcome: ProcessOutcome, timeoutMs: number): string {
  if (outcome.aborted) return 'was stopped';
  if (outcome.timedOut) return `did not end within ${timeoutMs} ms`;
  if (outcome.limit !== undefined) return `was ended: ${outcome.limit}`;
  if (outcome.exitCode === null) return `was ${outcome.failure ?? describeEnd(outcome)}`;
  return `exited ${outcome.exitCode}`;
}
