import type { TreeId } from '../../ports/tree.ts';
import type { LoopRun } from '../loop-run.ts';

/** A tree whose checks pass. */
export interface RuledTree {
  /** 1-based. */
  readonly iteration: number;
  readonly tree: TreeId;
}

/**
 * What the rules of whoever takes the result have against a tree, each as a sentence or two; empty if nothing, or if there
 * are no such rules.
 */
export async function brokenRules(
  { ports, patchBase }: LoopRun,
  { iteration, tree }: RuledTree,
): Promise<readonly string[]> {
  const { rules, store, workspace } = ports;
  if (rules === undefined) return [];
  return store.step(`${iteration}:rules`, async () =>
    rules.examine(await workspace.changes(patchBase, tree)),
  );
}
