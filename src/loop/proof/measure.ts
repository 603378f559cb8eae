import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Evaluation, ProofStrength } from '../../schema/generated.ts';
import type { LoopRun } from '../loop-run.ts';

/** A tree that passes, and its changes. */
export interface MeasureStep {
  /** 1-based. */
  readonly iteration: number;
  readonly tree: TreeId;
  /** Changes between the tree that attempts start from and this one. */
  readonly changes: ChangeSet;
  /** Confirmed. */
  readonly evaluation: Evaluation;
}

/** Measures how well the tests hold a change. Undefined if the measurement is off. `name`: of the step in the journal. */
export async function measureStrength(
  loop: LoopRun,
  { iteration, tree, changes, evaluation }: MeasureStep,
  name = `${iteration}:strength`,
): Promise<ProofStrength | undefined> {
  const { emit, store, strength: meter, workspace } = loop.ports;
  const { proof, signal } = loop.options;
  const timeoutMs = Math.min(proof.timeMs, Math.max(1, loop.restMs));
  if (meter === undefined || proof.timeMs === 0) return undefined;
  return store.step(name, async () => {
    await loop.moveToForChecks(tree);
    const result = await meter.measure({
      root: workspace.root,
      changes,
      evaluation,
      testFiles: [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))],
      timeoutMs,
      signal,
      onProgress: (text) => emit({ type: 'progress', text }),
    });
    loop.throwIfAborted();
    return result;
  });
}
