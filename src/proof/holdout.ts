import { childEnvironment } from '../platform/processes/environment.ts';
import { runProcess } from '../platform/processes/process.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Evaluation } from '../schema/generated.ts';
import { withFailedCheck } from './rejected-evaluation.ts';

/** Name of the check that reports the held-out checks. */
const HOLDOUT = 'holdout';

/** The tree in which the held-out checks run. */
export interface HoldoutRequest {
  /** Absolute path of the tree, in which the command runs. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly sandbox?: Sandbox | undefined;
  readonly signal: AbortSignal;
  /** The root, if only this command works in it: it gets no variable of ralph's. */
  readonly ownFolder?: string | undefined;
}

/** Runs the held-out command line; true where it exits 0 in time. Its output is discarded. Never rejects. */
export async function passesHoldout(command: string, request: HoldoutRequest): Promise<boolean> {
  const { root, timeoutMs, sandbox, signal, ownFolder } = request;
  const outcome = await runProcess({
    shell: command,
    cwd: root,
    env: childEnvironment({}, root),
    timeoutMs,
    sandbox,
    signal,
    ownFolder,
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
  return withFailedCheck(evaluation, HOLDOUT, { message, root });
}
