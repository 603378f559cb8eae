import type { Evaluation } from '../schema/generated.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess } from '../platform/processes/process.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { failedCheck } from './refusal.ts';
import { createTreePaths } from '../checks/run/tree-paths.ts';

/** Name of the check that the actor never sees. */
export const HOLDOUT = 'holdout';

export interface HoldoutRequest {
  /** Absolute path of the tree; the command runs in it. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly sandbox?: Sandbox | undefined;
  readonly signal: AbortSignal;
}

/** Runs the held-out command line; true where it exits 0 in time. What it prints is not kept. Never rejects. */
export async function passesHoldout(command: string, request: HoldoutRequest): Promise<boolean> {
  const { root, timeoutMs, sandbox, signal } = request;
  const env = childEnvironment();
  const outcome = await runProcess({
    shell: command,
    cwd: root,
    env,
    timeoutMs,
    sandbox,
    signal,
    keepBytes: 0,
  });
  return outcome.exitCode === 0 && !outcome.timedOut && !outcome.aborted;
}

/**
 * The evaluation of a tree that failed the held-out checks: not passed, worth half of what the other checks give
 * it. Only the fact is in it: neither the command nor its output, which would tell the actor what is held out.
 */
export function failedHoldout(evaluation: Evaluation, root: string): Evaluation {
  const message = 'The checks that are held out failed. What they check is not told.';
  const diagnostic = createDiagnostic(
    { type: 'other', check: HOLDOUT, rule: HOLDOUT, message },
    createTreePaths(root, root),
  );
  return {
    ...evaluation,
    passed: false,
    reward: evaluation.reward / 2,
    checks: [
      ...evaluation.checks.map((check) => ({ ...check, weight: check.weight / 2 })),
      { ...failedCheck(HOLDOUT, message), weight: 0.5 },
    ],
    diagnostics: [diagnostic, ...evaluation.diagnostics].slice(0, 500),
  };
}
