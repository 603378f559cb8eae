import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess } from '../platform/processes/process.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Evaluation } from '../schema/generated.ts';
import { failedCheck } from './rejected-evaluation.ts';

/** Name of the check that reports the held-out checks. */
const HOLDOUT = 'holdout';

const MAX_DIAGNOSTICS = 500;

/** The tree in which the held-out checks run. */
export interface HoldoutRequest {
  /** Absolute path of the tree, in which the command runs. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly sandbox?: Sandbox | undefined;
  readonly signal: AbortSignal;
}

/** Runs the held-out command line; true where it exits 0 in time. Its output is discarded. Never rejects. */
export async function passesHoldout(command: string, request: HoldoutRequest): Promise<boolean> {
  const { root, timeoutMs, sandbox, signal } = request;
  const outcome = await runProcess({
    shell: command,
    cwd: root,
    env: childEnvironment(),
    timeoutMs,
    sandbox,
    signal,
    keepBytes: 0,
  });
  return outcome.exitCode === 0 && !outcome.timedOut && !outcome.aborted;
}

/**
 * The evaluation of a tree that failed the held-out checks: not passed, with half of its reward. It contains neither
 * the command nor its output, so that the actor cannot learn what is held out.
 */
export function failedHoldout(evaluation: Evaluation, root: string): Evaluation {
  const message = 'The held-out checks failed. Their content is not shown.';
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
    diagnostics: [diagnostic, ...evaluation.diagnostics].slice(0, MAX_DIAGNOSTICS),
  };
}
