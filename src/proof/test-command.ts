import type { CheckSettings } from '../checks/requests.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import { addFailure, type ScoredReport } from '../checks/score/reward.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { CheckPlan, CommandPlan, CommandStep } from '../ports/plan.ts';
import {
  runTestChecks,
  runTestCommand,
  type CommandFailure,
  type CommandRun,
  type OpenPristine,
  type ShellLine,
} from './run-test-command.ts';

/** The result of running the repository's own test command. */
export interface Confirmation {
  /** Absent if nothing failed. */
  readonly failure?: CommandFailure | undefined;
  /** A clause on commands that fail on the untouched tree too and were left out; absent if all were run. */
  readonly leftOut?: string | undefined;
}

/** Rule of the note on commands of a test script that were left out. */
export const PARTLY_CONFIRMED = 'partly-confirmed';

/** Whether commands of the test script were left out: then the checkout is another one than that in which it ran. */
export function isPartlyConfirmed(reports: readonly Pick<ScoredReport, 'diagnostics'>[]): boolean {
  return reports.some(({ diagnostics }) => diagnostics.some(({ rule }) => rule === PARTLY_CONFIRMED));
}

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

/**
 * The commands that the test command runs and no check does, in order, with the builds in front of them; the test command
 * itself where its commands are not known.
 */
export function addedCommands({ plan: { testCommand: own, checks } }: CheckSettings): readonly ShellLine[] {
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
    failure ??= await runByParts(command, { ...run, pristine: await openPristine(), openPristine }, excused);
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

/** A command that took longer is not run again. */
const AGAIN_MS = 60_000;

interface RunInCheckout extends CommandRun {
  readonly openPristine: OpenPristine;
}

/** Runs of a command with a test that fails by chance at the start, too. */
const CHANCES = 5;

/**
 * Whether a command that failed did so by chance: where all was green before the change, if it passes twice when it is run again,
 * each time in a new checkout; where a test is known to fail by chance without the change, if it passes once.
 */
async function failsByChance(plan: CommandPlan, run: RunInCheckout): Promise<boolean> {
  const { baseline, redByChance = [] } = run.request;
  if (redByChance.length > 0) {
    for (let runs = 0; runs < CHANCES; runs++) if (await passesAgain(plan, run)) return true;
    return false;
  }
  return baseline?.passed === true && (await passesAgain(plan, run)) && passesAgain(plan, run);
}

async function passesAgain(plan: CommandPlan, { openPristine, ...run }: RunInCheckout): Promise<boolean> {
  // This one closes the other.
  if ((await run.openBase?.()) === undefined) return false;
  return (await runTestCommand(plan, { ...run, pristine: await openPristine() })) === undefined;
}

/**
 * The failure of a command; chance is none. One that fails on the untouched tree as well can never be green: then the commands that it
 * runs are run one by one, without those which the baseline set aside and those which no check runs and which fail in the
 * same way on the untouched tree. `excused` gets the commands that were left out.
 */
async function runByParts(
  plan: CommandPlan,
  given: RunInCheckout,
  excused: string[],
): Promise<CommandFailure | undefined> {
  const started = performance.now();
  const failure = await runTestCommand(plan, given);
  const isShort = performance.now() - started < AGAIN_MS;
  const { request, openBase } = given;
  if (failure === undefined || request.isOwn === true || openBase === undefined) return failure;
  if (isShort && (await failsByChance(plan, given))) return undefined;
  // The first one may be closed.
  const run = { ...given, pristine: await given.openPristine() };
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
