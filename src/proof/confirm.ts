import { resolve } from 'node:path';
import type { CommandPlan } from '../ports.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess, type ProcessOutcome } from '../platform/processes/process.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { endOf, outputTail } from '../checks/run/check-report.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { failureType } from '../checks/results/failure-type.ts';
import { createTreePaths } from '../checks/run/tree-paths.ts';

export interface ConfirmRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly sandbox?: Sandbox | undefined;
  /** Name of the check that answers for the result. */
  readonly check: string;
}

/** Why the repository's own test command does not agree with the checks. */
export interface Objection {
  /** One sentence. */
  readonly detail: string;
  readonly diagnostic: Diagnostic;
}

/**
 * Runs the repository's own test command once, as the repository has it. `undefined` where it exits 0.
 * Never rejects.
 */
export async function confirmWith(
  plan: CommandPlan,
  request: ConfirmRequest,
): Promise<Objection | undefined> {
  const { root, timeoutMs, signal, sandbox } = request;
  const cwd = resolve(root, plan.cwd);
  const outcome = await runProcess({
    shell: plan.command,
    cwd,
    env: childEnvironment(),
    timeoutMs,
    signal,
    sandbox,
  });
  if (outcome.exitCode === 0 && !outcome.timedOut && !outcome.aborted) return undefined;
  const detail = `Every check is green, but \`${plan.command}\` ${howItEnded(outcome, timeoutMs)}.`;
  const tail = outputTail(outcome);
  const type = outcome.timedOut
    ? 'timeout'
    : failureType({ message: tail }) === 'syntax_error'
      ? 'syntax_error'
      : 'other';
  const fields = { type, check: request.check, message: `${detail}\n${tail}` } as const;
  return { detail, diagnostic: createDiagnostic(fields, createTreePaths(root, cwd)) };
}

function howItEnded(outcome: ProcessOutcome, timeoutMs: number): string {
  if (outcome.aborted) return 'was stopped';
  if (outcome.timedOut) return `did not end within ${timeoutMs} ms`;
  if (outcome.exitCode === null) return `was ${outcome.failure ?? endOf(outcome)}`;
  return `exited ${outcome.exitCode}`;
}
