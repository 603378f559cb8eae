import { rm } from 'node:fs/promises';
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
 * Evaluates the user's tree as it is. The first time, the checks run without caches and the repository's own test command
 * confirms them. Later all tests run, and types and lint use their caches. A green tree that has not changed is answered
 * from the record. Throws RalphError where the repository is locked or no workspace can be opened.
 */
export async function evaluateOnce(
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
    const record = openEvaluationRecord(suite.cacheDir);
    const key = await evaluationKey(project, carried);
    const earlier = fresh ? undefined : await record.read(key.setup);
    const isSame = earlier?.tree === workspace.base && earlier.surroundings === key.surroundings;
    if (isSame && earlier.isConfirmed && earlier.evaluation.passed)
      return { evaluation: earlier.evaluation, knownSince: earlier.at };
    emit({ type: 'baseline_started', checks: project.plan.checks });
    if (earlier === undefined) await rm(suite.cacheDir, { recursive: true, force: true });
    const evaluator = createEvaluator({ ...suite, onCheckDone: emitCheckFinished(emit) });
    const request = { root: workspace.root, tree: workspace.base, signal };
    const first = earlier === undefined;
    const since = earlier === undefined ? {} : await changesSince(earlier, workspace);
    let evaluation = await evaluator.evaluate({ ...request, ...since, confirm: first, first });
    const mayBeWrong = earlier?.isConfirmed === false && evaluation.passed;
    if (mayBeWrong) {
      emit({ type: 'evaluation_started', iteration: 0, confirm: true });
      const fast = evaluation;
      const confirmed = await evaluator.evaluate({ ...request, confirm: true, baseline: fast });
      evaluation = { ...confirmed, duration_ms: fast.duration_ms + confirmed.duration_ms };
    }
    if (suite.sandbox !== undefined)
      for (const text of sandboxAdvice(evaluation)) emit({ type: 'warning', text });
    const isConfirmed = earlier?.isConfirmed === true || evaluation.passed;
    if (!signal.aborted)
      await record.write({
        ...key,
        tree: workspace.base,
        at: new Date().toISOString(),
        evaluation,
        isConfirmed,
      });
    return { evaluation };
  } finally {
    lock.release();
  }
}

/** The change since a green evaluation; nothing if it was red, or if its tree is not stored any more. */
async function changesSince(
  { tree, evaluation, isConfirmed }: KnownEvaluation,
  workspace: Workspace,
): Promise<Pick<EvaluationRequest, 'previous' | 'changed'>> {
  if (!isConfirmed || !evaluation.passed) return {};
  try {
    const { files } = await workspace.changes(tree, workspace.base);
    return { previous: evaluation, changed: files.map(({ path }) => path) };
  } catch {
    return {};
  }
}
