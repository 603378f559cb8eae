import { applyBest, undoLoop } from '../../compose/deliver.ts';
import { ExitCode, usageError } from '../../errors.ts';
import { readState, resolveLoopId } from '../../state/loops.ts';
import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { deliveryOf } from '../run-options.ts';

/** `ralph apply [loop-id]`; exit 4 where the tree moved and the result was kept as a branch. */
export async function applyCommand(
  id: string | undefined,
  options: { commit?: boolean; branch?: boolean },
): Promise<void> {
  const how = deliveryOf(options);
  const root = findRepositoryRoot(process.cwd());
  const loopId = await resolveLoopId(root, id);
  const state = await readState(root, loopId);
  if (state === null) throw usageError(`${loopId} ended before it had a result.`);
  const { message, conflict } = await applyBest(root, state, how);
  process.stdout.write(`${printable(message)}\n`);
  if (conflict) process.exitCode = ExitCode.workspace;
}

/** `ralph undo [loop-id]`. */
export async function undoCommand(id: string | undefined): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  process.stdout.write(`${printable(await undoLoop(root, await resolveLoopId(root, id)))}\n`);
}
