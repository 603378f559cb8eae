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
  /** As it was printed; undefined while the loop runs, and where it ended by an error. */
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
    ...(verdict !== undefined && { applied: verdict.applied, verdict }),
    ...(verdict?.branch !== undefined && { branch: verdict.branch }),
    options: { ...input.settings },
  };
}

/** The state of a loop whose baseline is not evaluated yet. */
export function freshState(
  input: Pick<
    StateInput,
    'loopId' | 'task' | 'actor' | 'startedAt' | 'maxIterations' | 'baseTree' | 'settings'
  >,
): LoopState {
  const { loopId, task, actor, startedAt, maxIterations, baseTree, settings } = input;
  const known = { loopId, task, actor, startedAt, maxIterations, baseTree, settings };
  const blank = { status: 'running', iteration: 0, reward: 0, baselineReward: 0 } as const;
  return loopState({ ...known, ...blank, bestTree: undefined, verdict: undefined });
}
