import { limitGit } from '../platform/git/limits.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../events.ts';
import type { EvaluationRequest, Workspace } from '../ports.ts';
import { createEvaluator } from '../proof/evaluator.ts';
import type { Evaluation } from '../schema/generated.ts';
import { openEvaluationRecord, type KnownEvaluation } from '../state/evaluation-record.ts';
import { acquireLock } from '../state/lock.ts';
import { emitCheckFinished } from './check-finished.ts';
import { evaluationKey } from './evaluation-key.ts';
import type { Project } from './project.ts';
import { sandboxAdvice } from './sandbox-advice.ts';
import { openWorkbench } from './workbench.ts';

/** Used in place of a loop id, since an evaluation belongs to no loop. */
const EVALUATION_ID = 'ralph-evaluate';

/** How an evaluation is stopped and observed. */
export interface EvaluateRequest {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  /** Run everything again without caches, and confirm it by the repository's own test command. Default false. */
  readonly fresh?: boolean;
}

/** An evaluation of the user's tree. */
export interface TreeEvaluation {
  readonly evaluation: Evaluation;
  /** When the same tree was evaluated before, ISO 8601; undefined if the checks ran now. */
  readonly knownSince?: string;
}

/**
 * Evaluates the user's tree as it is, without caches the first time. The repository's own test command runs beside the
 * checks, unless they are exactly what it runs. A green tree that has not changed is answered from the record. Throws
 * RalphError where the repository is locked or no workspace can be opened.
 */
export function evaluateOnce(project: Project, request: EvaluateRequest): Promise<TreeEvaluation> {
  return limitGit({ signal: request.signal }, () => evaluate(project, request));
}

async function evaluate(
  project: Project,
  { signal, emit, fresh = false }: EvaluateRequest,
): Promise<TreeEvaluation> {
  const lock = acquireLock(project.repository.root, { loopId: EVALUATION_ID, command: 'evaluate' });
  try {
    const { workspace, suite, carried, warnings } = await openWorkbench(project, {
      loopId: EVALUATION_ID,
      hasActor: false,
    });
    for (const text of warnings) emit({ type: 'warning', text });
    // Apart from the caches of loops, which code of an actor can write.
    const cacheDir = join(suite.cacheDir, EVALUATION_ID);
    const record = openEvaluationRecord(cacheDir);
    const key = await evaluationKey(project, carried);
    const earlier = fresh ? undefined : await record.read(key.setup);
    const isSame = earlier?.tree === workspace.base && earlier.surroundings === key.surroundings;
    if (isSame && earlier.evaluation.passed)
      return { evaluation: earlier.evaluation, knownSince: earlier.at };
    emit({ type: 'baseline_started', checks: project.plan.checks });
    if (earlier === undefined) await rm(cacheDir, { recursive: true, force: true });
    const evaluator = createEvaluator({ ...suite, cacheDir, onCheckDone: emitCheckFinished(emit) });
    const evaluation = await evaluator.evaluate({
      root: workspace.root,
      tree: workspace.base,
      signal,
      confirm: true,
      isOwn: true,
      // Files that are copied beside the tree may have changed as well: then nothing is known of what they affect.
      ...(earlier?.surroundings === key.surroundings && (await changesSince(earlier, workspace))),
    });
    if (suite.sandbox !== undefined)
      for (const text of sandboxAdvice(evaluation)) emit({ type: 'warning', text });
    if (!signal.aborted)
      await record.write({ ...key, tree: workspace.base, at: new Date().toISOString(), evaluation });
    return { evaluation };
  } finally {
    lock.release();
  }
}

/** The change since a green evaluation; nothing if it was red, or if its tree is not stored any more. */
async function changesSince(
  { tree, evaluation }: KnownEvaluation,
  workspace: Workspace,
): Promise<Pick<EvaluationRequest, 'previous' | 'changed'>> {
  if (!evaluation.passed) return {};
  try {
    const { files } = await workspace.changes(tree, workspace.base);
    return { previous: evaluation, changed: files };
  } catch {
    return {};
  }
}
