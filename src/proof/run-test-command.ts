import { resolve } from 'node:path';
import type { CheckSettings } from '../checks/requests.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { failureType } from '../checks/results/failure-type.ts';
import { printedCrash } from '../checks/results/printed-error.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import { describeEnd, outputTail } from '../checks/run/check-report.ts';
import { scriptVariables } from '../checks/run/npm-variables.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess, type ProcessOutcome } from '../platform/processes/process.ts';
import { toolEnvironment } from '../platform/processes/tool-environment.ts';
import type { PristineTree } from '../ports.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { CommandPlan, CommandStep } from '../ports/plan.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { createCheck } from '../tools.ts';
import { describeUndelivered } from './delivery/undelivered.ts';

/** Origin of the commands that a confirmation runs one by one. */
const TEST_SCRIPT = 'package.json#scripts.test';

/** Opens the checkout of the tree on first use; undefined if the tree is checked where it lies. */
export type OpenPristine = () => Promise<PristineTree | undefined>;

/** Why the repository's own test command does not confirm a tree whose checks are green. */
export interface CommandFailure {
  /** One sentence, or two. */
  readonly detail: string;
  readonly diagnostic: Diagnostic;
}

/** A command line of a confirmation. */
export type ShellLine = Pick<CommandPlan, 'command' | 'cwd' | 'setup'> & Pick<CommandStep, 'env'>;

/** How the command lines of a confirmation run. */
export interface CommandRun {
  readonly settings: CheckSettings;
  readonly request: EvaluationRequest;
  readonly timeoutMs: number;
  /** Name of the check that a failure is reported for. */
  readonly check: string;
  readonly pristine: PristineTree | undefined;
  readonly openBase: OpenPristine | undefined;
}

/** Runs one command line; its failure, or undefined if it succeeds. */
export async function runTestCommand(plan: ShellLine, run: CommandRun): Promise<CommandFailure | undefined> {
  const { settings, request, timeoutMs, check, pristine } = run;
  const root = pristine?.root ?? request.root;
  const cwd = resolve(root, plan.cwd);
  const outcome = await runProcess({
    shell: [...(plan.setup ?? []).map((line) => `(${line})`), plan.command].join(' && '),
    cwd,
    env: commandEnvironment(plan, cwd, root),
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
      ? `${UNCONFIRMED} \`${plan.command}\` ${end}${cause}.`
      : `${UNCONFIRMED} \`${plan.command}\` ${end} in a clean checkout of ${request.isOwn === true ? 'your tree' : 'the change'}${cause}.${describeUndelivered({ worked: request.root, delivered: root, packageDir: plan.cwd, output, isOwn: request.isOwn === true })}`;
  return failureOf(detail, { check, outcome, root, cwd });
}

/** A command of the test script has the variables of that script; the script itself gets them from its manager. */
function commandEnvironment({ env }: ShellLine, cwd: string, root: string): Record<string, string> {
  if (env === undefined) return childEnvironment({}, cwd);
  return toolEnvironment([cwd, root], { ...scriptVariables(TEST_SCRIPT, cwd, root), ...env });
}

/** The beginning of what is said of green checks that the test command does not confirm. */
const UNCONFIRMED = 'Every check is green, but';

/** Whether a failure is that of the test command alone. */
export function isUnconfirmed({ message }: Pick<Diagnostic, 'message'>): boolean {
  return message.startsWith(UNCONFIRMED);
}

/** Runs the test checks in the checkout, with their setup. */
export async function runTestChecks(
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
    const detail = `${UNCONFIRMED} not in a clean checkout of the change: ${report.detail}${left}`;
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
