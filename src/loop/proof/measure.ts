import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Evaluation, ProofStrength } from '../../schema/generated.ts';
import type { LoopRun } from '../loop-run.ts';

/** The least time in which changed blocks are put back where rules ask that each is needed. */
export const MIN_BLOCKS_MS = 120_000;

const MAX_BLOCKS_MS = 600_000;
/** Runs of the unchanged result before the first block is put back. */
const RUNS_BEFORE = 2;
const MINUTE_MS = 60_000;

/** The time in which so many changed blocks are put back: a run of all checks for each, within bounds. */
export function timeForBlocks({ checks }: Evaluation, count: number): number {
  const runMs = checks.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
  return Math.min(MAX_BLOCKS_MS, Math.max(MIN_BLOCKS_MS, runMs * (count + RUNS_BEFORE)));
}

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
  const restMs = Math.max(1, loop.restMs);
  const within = (ms: number): number => Math.min(ms, restMs);
  if (meter === undefined || proof.timeMs === 0) return undefined;
  return store.step(name, async () => {
    await loop.moveToForChecks(tree);
    const result = await meter.measure({
      root: workspace.root,
      changes,
      evaluation,
      testFiles: [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))],
      timeoutMs: within(proof.timeMs),
      blocksMs: (count) => within(Math.max(proof.timeMs, timeForBlocks(evaluation, count))),
      // Whoever applies the rules leaves out what no check needs.
      ...(rules
        ? { isActing: rules.isActing }
        : { beside: { task, isAllowed: proof.isAllowed ?? (() => false) } }),
      signal: loop.stop,
      onProgress: (text) => emit({ type: 'progress', text }),
    });
    loop.throwIfAborted();
    return withFlag(result, restMs);
  });
}

/** The flag by which what was not tried gets twice the time that all took, unless the loop itself was at its end. */
function withFlag(strength: ProofStrength, restMs: number): ProofStrength {
  const { unshown, duration_ms: spentMs } = strength;
  if (unshown?.flag === undefined) return strength;
  const flag = spentMs >= restMs ? '--max-time' : `${unshown.flag} ${Math.ceil((2 * spentMs) / MINUTE_MS)}m`;
  return { ...strength, unshown: { ...unshown, flag } };
}
