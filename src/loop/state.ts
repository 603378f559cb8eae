import type { TreeId } from '../ports/tree.ts';
import type { LoopState, LoopStatus, Verdict } from '../schema/generated.ts';

export interface StateInput {
  readonly loopId: string;
  readonly task: string;
  readonly status: LoopStatus | 'running';
  readonly actor: string;
  readonly startedAt: string;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly reward: number;
  readonly baselineReward: number;
  readonly baseTree: TreeId;
  readonly bestTree: TreeId | undefined;
  /** Files of the best tree that are not delivered. */
  readonly leftOut: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Undefined while the loop runs, and if it ended with an error. */
  readonly verdict: Verdict | undefined;
}

/** The content of `state.json`, which `ralph list` and `ralph status` read. */
export function loopState(input: StateInput): LoopState {
  const { verdict, bestTree, leftOut } = input;
  return {
    loop_id: input.loopId,
    task: input.task,
    status: input.status as LoopState['status'],
    actor: input.actor,
    started_at: input.startedAt,
    updated_at: new Date().toISOString(),
    iteration: input.iteration,
    max_iterations: input.maxIterations,
    reward: input.reward,
    baseline_reward: input.baselineReward,
    base_tree: input.baseTree,
    best_tree: bestTree,
    left_out: leftOut.length > 0 ? [...leftOut] : undefined,
    applied: verdict?.applied,
    branch: verdict?.branch,
    verdict,
    options: { ...input.settings },
  };
}

/** State of a loop whose baseline is not evaluated yet. */
export function freshState(
  input: Pick<
    StateInput,
    'loopId' | 'task' | 'actor' | 'startedAt' | 'maxIterations' | 'baseTree' | 'settings'
  >,
): LoopState {
  const { loopId, task, actor, startedAt, maxIterations, baseTree, settings } = input;
  return loopState({
    loopId,
    task,
    status: 'running',
    actor,
    startedAt,
    iteration: 0,
    maxIterations,
    reward: 0,
    baselineReward: 0,
    baseTree,
    bestTree: undefined,
    leftOut: [],
    settings,
    verdict: undefined,
  });
}
