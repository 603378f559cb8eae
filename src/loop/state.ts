import type { TreeId } from '../ports.ts';
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
  readonly settings: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict | undefined;
}

/** What `ralph list` and `ralph status` read. */
export function loopState(input: StateInput): LoopState {
  const { verdict, bestTree } = input;
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
    ...(bestTree !== undefined && { best_tree: bestTree }),
    ...(verdict !== undefined && { applied: verdict.applied }),
    ...(verdict?.branch !== undefined && { branch: verdict.branch }),
    options: { ...input.settings },
  };
}
