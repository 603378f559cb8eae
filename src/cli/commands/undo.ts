import { undoLoop } from '../../compose/loop/deliver.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import { resolveLoopId } from '../../state/loops.ts';

/** `ralph undo [loop-id]`. */
export async function undoCommand(id: string | undefined): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  process.stdout.write(`${printable(await undoLoop(root, await resolveLoopId(root, id)))}\n`);
}
