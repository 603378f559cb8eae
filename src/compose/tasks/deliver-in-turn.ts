import { ExitCode, RalphError } from '../../errors.ts';
import { failuresOf } from '../../loop/reason.ts';
import type { Delivery, DeliveryMode, DeliveryOutcome, Evaluator, TreeId, Workspace } from '../../ports.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { createDelivery, type DeliveryOptions } from '../../workspace/deliver/deliver.ts';
import { openSnapshots } from '../../workspace/snapshots/snapshots.ts';
import { mergeTrees } from '../../workspace/snapshots/merge-trees.ts';
import type { Company } from './company.ts';

export interface DeliveryInTurnOptions extends DeliveryOptions {
  readonly company: Company;
  readonly workspace: Workspace;
  readonly evaluator: Evaluator;
  /** What the loop's own evaluations are compared with. */
  readonly baseline: () => Evaluation | undefined;
  readonly signal: AbortSignal;
}

/**
 * Delivers what was verified beside other loops, in their order. Where results of loops before it are in the user's
 * tree by now, the two are merged and judged together once more: only what passes is written. What does not merge, or
 * fails together, is left on a branch, as a conflict.
 */
export function createDeliveryInTurn(options: DeliveryInTurnOptions): Delivery {
  const { company, repository, base, signal, loopId } = options;
  return {
    async deliver(tree, how) {
      if (how !== 'branch') await company.turn();
      if (signal.aborted) throw stopped();
      // Those of the loop remember the user's tree as it was before others wrote to it.
      const snapshots = await openSnapshots(repository, loopId, { isAlone: false });
      const plain = createDelivery({ ...options, snapshots });
      if (how === 'branch') return company.alone(() => plain.deliver(tree, how));
      const now = await company.alone(() => snapshots.snapshot(repository.root));
      if (now === base || !company.known.has(now)) return company.alone(() => plain.deliver(tree, how));
      const merge = await mergeTrees({ snapshots, base, ours: now, theirs: tree });
      if (!merge.ok)
        return company.alone(() => keptAside(plain, tree, `both change ${shown(merge.conflicts)}`));
      const evaluation = await judge(options, merge.tree);
      if (!evaluation.passed)
        return company.alone(() => keptAside(plain, tree, `together they fail: ${failuresOf(evaluation)}`));
      return company.alone(() => delivered({ ...options, snapshots }, { from: now, to: merge.tree, how }));
    },
  };
}

async function judge(
  { workspace, evaluator, baseline, signal }: DeliveryInTurnOptions,
  tree: TreeId,
): Promise<Evaluation> {
  await workspace.restore(tree);
  const first = baseline();
  const evaluation = await evaluator.evaluate({
    root: workspace.root,
    tree,
    confirm: true,
    signal,
    ...(first !== undefined && { baseline: first }),
  });
  if (signal.aborted) throw stopped();
  return evaluation;
}

interface Step {
  readonly from: TreeId;
  readonly to: TreeId;
  readonly how: DeliveryMode;
}

async function delivered(options: DeliveryInTurnOptions, { from, to, how }: Step): Promise<DeliveryOutcome> {
  const outcome = await createDelivery({ ...options, base: from }).deliver(to, how);
  return { ...outcome, message: `Merged with the results before it, and verified again. ${outcome.message}` };
}

async function keptAside(plain: Delivery, tree: TreeId, why: string): Promise<DeliveryOutcome> {
  const outcome = await plain.deliver(tree, 'branch');
  const where = `it is on branch ${outcome.branch ?? ''}. Take it with: git merge ${outcome.branch ?? ''}`;
  return {
    ...outcome,
    conflict: true,
    message: `Verified alone, but with the results before it ${why}; ${where}`,
  };
}

function shown(paths: readonly string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}

function stopped(): RalphError {
  return new RalphError('Stopped before the result was applied.', {
    code: 'aborted',
    exitCode: ExitCode.interrupted,
    hint: 'Run the same command again: it goes on here.',
  });
}
