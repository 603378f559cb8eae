import { resolve } from 'node:path';
import type { CheckSettings } from '../checks/requests.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { failureType } from '../checks/results/failure-type.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import { describeEnd, outputTail } from '../checks/run/check-report.ts';
import { addFailure, type ScoredReport } from '../checks/score/reward.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess, type ProcessOutcome } from '../platform/processes/process.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { CommandPlan, EvaluationRequest } from '../ports.ts';
import type { Diagnostic } from '../schema/generated.ts';

/**
 * Confirms green reports by running the repository's own test command once, as the repository defines it. Where the
 * command fails, it counts as one more failed test of the first test check. Reports that are not green are returned
 * unchanged, and so are those of a project whose check is that same command.
 */
export async function confirmByTestCommand(
  { plan, checkTimeoutMs, sandbox }: CheckSettings,
  reports: readonly ScoredReport[],
  { root, signal }: EvaluationRequest,
): Promise<readonly ScoredReport[]> {
  const { testCommand: command } = plan;
  const isGreen = reports.every(({ status }) => status === 'pass' || status === 'skip');
  const hasRun = plan.checks.some(
    ({ tool, args, cwd }) => tool === 'command' && args[0] === command?.command && cwd === command?.cwd,
  );
  if (command === undefined || !isGreen || hasRun) return reports;
  const target = reports.find(({ kind }) => kind === 'tests') ?? reports[0];
  if (target === undefined) return reports;
  const timeoutMs = checkTimeoutMs * Math.max(1, reports.length);
  const failure = await runTestCommand(command, { root, signal, timeoutMs, sandbox, check: target.name });
  if (failure === undefined) return reports;
  const failed = addFailure(target, failure.detail);
  const diagnostics = [failure.diagnostic, ...failed.diagnostics];
  return reports.map((report) =>
    report === target ? { ...failed, diagnostics, errors: failed.errors + 1 } : report,
  );
}

interface CommandRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly sandbox?: Sandbox | undefined;
  /** Name of the check that a failure is reported for. */
  readonly check: string;
}

interface CommandFailure {
  /** One sentence. */
  readonly detail: string;
  readonly diagnostic: Diagnostic;
}

async function runTestCommand(
  plan: CommandPlan,
  { root, timeoutMs, signal, sandbox, check }: CommandRequest,
): Promise<CommandFailure | undefined> {
  const cwd = resolve(root, plan.cwd);
  const env = childEnvironment();
  const outcome = await runProcess({ shell: plan.command, cwd, env, timeoutMs, signal, sandbox });
  if (outcome.exitCode === 0 && !outcome.timedOut && !outcome.aborted) return undefined;
  const detail = `Every check is green, but \`${plan.command}\` ${describeFailure(outcome, timeoutMs)}.`;
  const message = `${detail}\n${outputTail(outcome)}`;
  const fields = { type: typeOf(outcome), check, message };
  return { detail, diagnostic: createDiagnostic(fields, createTreePaths(root, cwd)) };
}

function typeOf(outcome: ProcessOutcome): Diagnostic['type'] {
  if (outcome.timedOut) return 'timeout';
  const isSyntaxError = failureType({ message: outputTail(outcome) }) === 'syntax_error';
  return isSyntaxError ? 'syntax_error' : 'other';
}

function describeFailure(outcome: ProcessOutcome, timeoutMs: number): string {
  if (outcome.aborted) return 'was stopped';
  if (outcome.timedOut) return `did not end within ${timeoutMs} ms`;
  if (outcome.exitCode === null) return `was ${outcome.failure ?? describeEnd(outcome)}`;
  return `exited ${outcome.exitCode}`;
}
