import { applyBest } from '../../compose/loop/deliver.ts';
import { ExitCode, usageError } from '../../errors.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import { readState, resolveLoopId } from '../../state/loops.ts';
import { chooseDelivery, type DeliveryOptions } from '../run-options.ts';

/** `ralph apply [loop-id]`; exit 4 if the tree has changed in the same places and the result was kept as a branch. */
export async function applyCommand(id: string | undefined, options: DeliveryOptions): Promise<void> {
  const delivery = chooseDelivery(options);
  const root = findRepositoryRoot(process.cwd());
  const loopId = await resolveLoopId(root, id);
  const state = await readState(root, loopId);
  if (state === null)
    throw usageError(`${loopId} has no result: it ended before its baseline was evaluated.`);
  const { message, conflict } = await applyBest(root, state, delivery);
  process.stdout.write(`${printable(message)}\n`);
  if (conflict) process.exitCode = ExitCode.workspace;
}
