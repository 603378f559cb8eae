import type { RunEvent } from '../events.ts';
import { createEvaluator } from '../proof/evaluator.ts';
import type { Evaluation } from '../schema/generated.ts';
import { acquireLock } from '../state/lock.ts';
import type { Project } from './project.ts';
import { emitCheckFinished } from './check-finished.ts';
import { openWorkbench } from './workbench.ts';

/** Used in place of a loop id, since an evaluation belongs to no loop. */
const EVALUATION_ID = 'ralph-evaluate';

/** How an evaluation is stopped and observed. */
export interface EvaluateRequest {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/**
 * Evaluates the user's tree as it is: with caches first, and where that is green, by the full uncached sequence. Throws
 * RalphError where the repository is locked or no workspace can be opened.
 */
export async function evaluateOnce(project: Project, { signal, emit }: EvaluateRequest): Promise<Evaluation> {
  const lock = acquireLock(project.repository.root, { loopId: EVALUATION_ID, command: 'evaluate' });
  try {
    const { workspace, suite, warnings } = await openWorkbench(project, {
      loopId: EVALUATION_ID,
      hasActor: false,
    });
    for (const text of warnings) emit({ type: 'warning', text });
    const evaluator = createEvaluator({ ...suite, onCheckDone: emitCheckFinished(emit) });
    emit({ type: 'baseline_started', checks: project.plan.checks });
    const request = { root: workspace.root, tree: workspace.base, signal };
    const fast = await evaluator.evaluate({ ...request, confirm: false });
    if (!fast.passed) return fast;
    await workspace.restore(workspace.base);
    emit({ type: 'evaluation_started', iteration: 0, confirm: true });
    const confirmed = await evaluator.evaluate({ ...request, confirm: true, baseline: fast });
    return { ...confirmed, duration_ms: fast.duration_ms + confirmed.duration_ms };
  } finally {
    lock.release();
  }
}
