import { ExitCode, RalphError } from '../../errors.ts';
import { describeFailures } from '../../loop/describe-end.ts';
import type { Delivery, Evaluator, Workspace } from '../../ports.ts';
import type { DeliveryMode, DeliveryOutcome, TreeId } from '../../ports/tree.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { createDelivery, type DeliveryOptions } from '../../workspace/deliver/deliver.ts';
import { openSnapshots } from '../../workspace/snapshots/snapshots.ts';
import { mergeTrees } from '../../workspace/snapshots/merge-trees.ts';
import type { SiblingLoops } from './sibling-loops.ts';

export interface OrderedDeliveryOptions extends DeliveryOptions {
  readonly siblings: SiblingLoops;
  readonly workspace: Workspace;
  readonly evaluator: Evaluator;
  /** Baseline of the loop; undefined before it is evaluated. */
  readonly baseline: () => Evaluation | undefined;
  readonly signal: AbortSignal;
}

/**
 * Delivers verified trees of loops that run at the same time, in the order in which the loops were started. If results of
 * earlier loops are in the user's tree, the two are merged and evaluated again, and delivered only if they pass together.
 * A result that does not merge, or fails together with the others, is stored on a branch, as a conflict.
 */
export function createOrderedDelivery(options: OrderedDeliveryOptions): Delivery {
  const { siblings, repository, base, signal, loopId } = options;
  const { exclusive, knownTrees } = siblings;
  return {
    async deliver(tree, how) {
      if (how !== 'branch') await siblings.earlierDelivered();
      if (signal.aborted) throw stoppedError();
      // The loop's own snapshots have cached the user's tree as it was before other loops wrote to it.
      const snapshots = await openSnapshots(repository, loopId, { removeStaleLocks: false });
      const plain = createDelivery({ ...options, snapshots });
      if (how === 'branch') return exclusive(() => plain.deliver(tree, how));
      const now = await exclusive(() => snapshots.snapshot(repository.root));
      if (now === base || !knownTrees.has(now)) return exclusive(() => plain.deliver(tree, how));
      const merge = await mergeTrees({ snapshots, base, ours: now, theirs: tree });
      if (!merge.ok)
        return exclusive(() => deliverAsBranch(plain, tree, `both change ${shorten(merge.conflicts)}`));
      const evaluation = await evaluateMerged(options, merge.tree);
      if (!evaluation.passed) {
        const why = `the checks fail: ${describeFailures(evaluation)}`;
        return exclusive(() => deliverAsBranch(plain, tree, why));
      }
      return exclusive(() => deliverMerged({ ...options, snapshots }, { from: now, to: merge.tree, how }));
    },
  };
}

async function evaluateMerged(
  { workspace, evaluator, baseline, signal }: OrderedDeliveryOptions,
  tree: TreeId,
): Promise<Evaluation> {
  await workspace.restore(tree);
  const evaluation = await evaluator.evaluate({
    root: workspace.root,
    tree,
    baseline: baseline(),
    confirm: true,
    signal,
  });
  if (signal.aborted) throw stoppedError();
  return evaluation;
}

async function deliverMerged(
  options: OrderedDeliveryOptions,
  { from, to, how }: { readonly from: TreeId; readonly to: TreeId; readonly how: DeliveryMode },
): Promise<DeliveryOutcome> {
  const outcome = await createDelivery({ ...options, base: from }).deliver(to, how);
  return {
    ...outcome,
    message: `Merged with the results of earlier tasks and verified again. ${outcome.message}`,
  };
}

async function deliverAsBranch(plain: Delivery, tree: TreeId, why: string): Promise<DeliveryOutcome> {
  const outcome = await plain.deliver(tree, 'branch');
  const branch = outcome.branch ?? '';
  return {
    ...outcome,
    conflict: true,
    message: `Verified alone, but together with the results of earlier tasks ${why}; it is on branch ${branch}. Merge it with: git merge ${branch}`,
  };
}

function shorten(paths: readonly string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}

function stoppedError(): RalphError {
  return new RalphError('Stopped before the result was applied.', {
    code: 'aborted',
    exitCode: ExitCode.interrupted,
    hint: 'Run the same command again; it continues here.',
  });
}
