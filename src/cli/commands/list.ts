import type { ChalkInstance } from 'chalk';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import type { LoopState } from '../../schema/generated.ts';
import { lockHolder } from '../../state/lock.ts';
import { listLoops } from '../../state/loops.ts';
import { printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { renderReward, statusOf } from './status.ts';

/** `ralph list`. */
export async function listCommand(options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const { loops, damaged } = await listLoops(root);
  const runningId = lockHolder(root)?.loopId;
  // Verdicts are left out for brevity; ralph report prints them.
  const rows = loops.map(({ verdict: _, ...state }) => ({
    ...state,
    status: state.loop_id === runningId ? 'running' : statusOf(state),
  }));
  printResult(options, rows, (chalk) =>
    rows.length === 0 ? ['No loop has run here yet.'] : rows.map((row) => renderRow(row, chalk)),
  );
  for (const { path, problem } of damaged) printWarning(`${path}: ${problem}`);
}

function renderRow(row: Omit<LoopState, 'status'> & { status: string }, chalk: ChalkInstance): string {
  return `${chalk.bold(row.loop_id)}  ${row.status.padEnd(13)} ${renderReward(row)}  ${row.iteration}/${row.max_iterations}  ${printable(row.task.split('\n')[0]!).slice(0, 60)}`;
}
