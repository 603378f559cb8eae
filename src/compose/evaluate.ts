import { createSuite } from '../checks/suite.ts';
import type { RunEvent } from '../events.ts';
import type { Evaluation } from '../schema/generated.ts';
import { acquireLock } from '../state/lock.ts';
import type { Project } from './project.ts';
import { emitCheckFinished } from './check-finished.ts';
import { openWorkbench } from './workbench.ts';

/** Stands in for a loop id where a tree is only judged. */
const EVALUATION_ID = 'ralph-evaluate';

export interface EvaluateRequest {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** One evaluation of the tree as it is, by the whole uncached sequence where the fast one is green. */
export async function evaluateOnce(project: Project, { signal, emit }: EvaluateRequest): Promise<Evaluation> {
  const lock = acquireLock(project.repository.root, { loopId: EVALUATION_ID, command: 'evaluate' });
  try {
    const { workspace, suite, warnings } = await openWorkbench(project, {
      loopId: EVALUATION_ID,
      hasActor: false,
    });
    for (const text of warnings) emit({ type: 'warning', text });
    const evaluator = createSuite({ ...suite, onCheckDone: emitCheckFinished(emit) });
    emit({ type: 'baseline_started', checks: project.plan.checks });
    const seen = { root: workspace.root, tree: workspace.base, signal };
    const fast = await evaluator.evaluate({ ...seen, confirm: false });
    if (!fast.passed) return fast;
    await workspace.restore(workspace.base);
    emit({ type: 'evaluation_started', iteration: 0, confirm: true });
    return await evaluator.evaluate({ ...seen, confirm: true, baseline: fast });
  } finally {
    lock.release();
  }
}
