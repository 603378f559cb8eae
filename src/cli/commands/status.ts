import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { LoopState } from '../../schema/generated.ts';
import { lockHolder } from '../../state/lock.ts';
import { readState, resolveLoopId } from '../../state/loops.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const RESUMABLE = ['interrupted', 'aborted', 'budget'];

/** `ralph status [loop-id]`. */
export async function statusCommand(id: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const holder = lockHolder(root);
  const loopId = await resolveLoopId(root, id ?? holder?.loopId ?? undefined);
  const state = await readState(root, loopId);
  const running = holder?.loopId === loopId;
  const status = running ? 'running' : statusOf(state);
  printResult(options, { loop_id: loopId, running, ...state, status }, (chalk) =>
    state === null
      ? [
          `${chalk.bold(loopId)}  ${running ? 'running: its baseline is not evaluated yet' : 'ended before its baseline was evaluated'}`,
        ]
      : [
          `${chalk.bold(loopId)}  ${status}${running ? ` (process ${holder?.pid ?? 'unknown'})` : ''}`,
          `task        ${printable(state.task.split('\n')[0]!)}`,
          `attempts    ${state.iteration} of ${state.max_iterations}`,
          `reward      ${renderReward(state)}`,
          `updated     ${state.updated_at}`,
          ...(RESUMABLE.includes(status) ? [`continue    ralph resume ${loopId}`] : []),
        ],
  );
}

/** The stored status; `interrupted` for a loop that was killed, whose stored status is still `running`. */
export function statusOf(state: LoopState | null): string {
  return state === null || state.status === 'running' ? 'interrupted' : state.status;
}

/** Reward of the baseline and of the best attempt, each 0..1: `0.333 → 1.000`. */
export function renderReward(state: Pick<LoopState, 'baseline_reward' | 'reward'>): string {
  return `${state.baseline_reward.toFixed(3)} → ${state.reward.toFixed(3)}`;
}
