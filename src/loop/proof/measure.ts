import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Evaluation, ProofStrength } from '../../schema/generated.ts';
import type { LoopRun } from '../loop-run.ts';

/** The least time in which changed blocks are put back where rules ask that each is needed. */
export const MIN_BLOCKS_MS = 120_000;

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
  const { proof, task } = loop.options;
  const { rules } = loop.ports;
  const within = (ms: number): number => Math.min(ms, Math.max(1, loop.restMs));
  const timeoutMs = within(proof.timeMs);
  if (meter === undefined || proof.timeMs === 0) return undefined;
  return store.step(name, async () => {
    await loop.moveToForChecks(tree);
    const request: StrengthRequest = {
      root: workspace.root,
      changes,
      evaluation,
      testFiles: [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))],
      timeoutMs,
      // Whoever applies the rules leaves out what no check needs.
      ...(rules
        ? { isActing: rules.isActing }
        : {
            beside: { task, isAllowed: proof.isAllowed ?? (() => false), timeoutMs: within(MIN_BLOCKS_MS) },
          }),
      signal: loop.stop,
      onProgress: (text) => emit({ type: 'progress', text }),
    };
    const result = await meter.measure(request);
    loop.throwIfAborted();
    const isCut = !result.complete && result.duration_ms >= timeoutMs;
    if (rules === undefined || !isCut || result.unneeded.length > 0) return result;
    // Whoever applies the rules will take the time to try each block.
    const blocks = await meter.measure({ ...request, onlyBlocks: true, timeoutMs: within(MIN_BLOCKS_MS) });
    loop.throwIfAborted();
    return { ...result, unneeded: blocks.unneeded };
  });
}
