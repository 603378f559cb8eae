import type { ChalkInstance } from 'chalk';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { LoopState } from '../../schema/generated.ts';
import { lockHolder } from '../../state/lock.ts';
import { listLoops, readState, resolveLoopId } from '../../state/loops.ts';
import { printable } from '../../platform/text/printable.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

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
          `reward      ${state.baseline_reward.toFixed(3)} → ${state.reward.toFixed(3)}`,
          `updated     ${state.updated_at}`,
          ...(running || !['interrupted', 'aborted', 'budget'].includes(status)
            ? []
            : [`go on with  ralph resume ${loopId}`]),
        ],
  );
}

/** `ralph list`. */
export async function listCommand(options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const { loops, damaged } = await listLoops(root);
  const runningId = lockHolder(root)?.loopId;
  // The verdict of each is in ralph report.
  const shown = loops.map(({ verdict: _, ...state }) => ({
    ...state,
    status: state.loop_id === runningId ? 'running' : statusOf(state),
  }));
  printResult(options, shown, (chalk) =>
    shown.length === 0 ? ['No loop has run here yet.'] : shown.map((state) => renderRow(state, chalk)),
  );
  for (const { path, problem } of damaged) process.stderr.write(`ralph: ${path}: ${problem}\n`);
}

/** A loop that says it runs while nobody holds the repository was killed. */
function statusOf(state: LoopState | null): string {
  return state === null || state.status === 'running' ? 'interrupted' : state.status;
}

function renderRow(state: Omit<LoopState, 'status'> & { status: string }, chalk: ChalkInstance): string {
  const reward = `${state.baseline_reward.toFixed(3)} → ${state.reward.toFixed(3)}`;
  return `${chalk.bold(state.loop_id)}  ${state.status.padEnd(13)} ${reward}  ${state.iteration}/${state.max_iterations}  ${printable(state.task.split('\n')[0]!).slice(0, 60)}`;
}
