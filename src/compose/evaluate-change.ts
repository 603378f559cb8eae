import type { RunEvent } from '../events.ts';
import { throwIfUnrunnable } from '../loop/loop-errors.ts';
import { createEvaluator } from '../proof/evaluator.ts';
import type { Evaluation } from '../schema/generated.ts';
import { acquireLock } from '../state/lock.ts';
import { createGuard } from '../workspace/protect/guard.ts';
import { judgesOf } from '../workspace/protect/judges.ts';
import { checkEvents } from './check-events.ts';
import type { Project } from './project.ts';
import { openWorkbench } from './workbench.ts';

/** Used in place of a loop id, since the evaluation belongs to no loop. */
const VERIFY_ID = 'ralph-verify';

/** One changed file of a tree. */
export interface ChangedContent {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly isExecutable: boolean;
  /** Undefined: the file is removed. */
  readonly content: Buffer | undefined;
}

export interface EvaluateChangeRequest {
  readonly files: readonly ChangedContent[];
  readonly task: string;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** The tree before and after a change. */
export interface ChangeEvaluation {
  readonly before: Evaluation;
  /** Undefined if the tree passes without the change. */
  readonly after: Evaluation | undefined;
}

/**
 * Evaluates the user's tree, then the same tree with some files changed, by the rules that a loop accepts an attempt by:
 * without caches, in a checkout, confirmed by the repository's own test command, with protected files as before. The
 * user's tree itself is not changed. Throws RalphError where the repository is locked or no workspace can be opened.
 */
export async function evaluateChange(
  project: Project,
  { files, task, signal, emit }: EvaluateChangeRequest,
): Promise<ChangeEvaluation> {
  const { repository, settings, plan } = project;
  const lock = acquireLock(repository.root, { loopId: VERIFY_ID, command: 'verify' });
  const { workspace, snapshots, suite, warnings } = await openWorkbench(project, {
    loopId: VERIFY_ID,
    hasActor: true,
  }).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  try {
    for (const text of warnings) emit({ type: 'warning', text });
    const evaluator = createEvaluator({ ...suite, ...checkEvents(emit) });
    const { root, base } = workspace;
    const before = await evaluator.evaluate({
      root,
      tree: base,
      confirm: false,
      setAside: 'beside_failures',
      signal,
    });
    throwIfUnrunnable(before);
    if (before.passed || signal.aborted) return { before, after: undefined };
    const guard = createGuard({
      snapshots,
      workspace,
      protect: settings.protect,
      allow: settings.allow,
      checks: plan.checks,
      judges: judgesOf(plan, task),
      repository: repository.root,
      testFiles: () => (before.tests ?? []).flatMap(({ file }) => file ?? []),
    });
    const edits = files.map(async ({ path, isExecutable, content }) => ({
      path: Buffer.from(path),
      ...(content && {
        entry: { mode: isExecutable ? '100755' : '100644', id: await snapshots.writeBlob(content) },
      }),
    }));
    await workspace.restore(await snapshots.amend(base, await Promise.all(edits)));
    const refused = await guard.restoreProtected();
    const tree = await workspace.checkpoint();
    const after = await evaluator.evaluate({
      ...{ root, tree, baseTree: base, baseline: before, previous: before, refused, signal },
      confirm: true,
      audit: guard.audit && (() => guard.audit!(tree)),
    });
    return { before, after };
  } finally {
    await workspace.close();
    lock.release();
  }
}
