import { ExitCode, RalphError } from '../../errors.ts';
import type { DeliveryMode, DeliveryOutcome } from '../../ports/tree.ts';
import type { LoopState } from '../../schema/generated.ts';
import { acquireLock } from '../../state/lock.ts';
import { createDelivery } from '../../workspace/deliver/deliver.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { treeWithFiles } from '../../workspace/snapshots/tree-with-files.ts';
import { undoDelivery } from '../../workspace/deliver/undo.ts';
import { originOf } from './origin.ts';

/** Applies a loop's best tree to the user's repository, verified or not. Throws RalphError if no attempt was an improvement. */
export async function applyBest(cwd: string, state: LoopState, how: DeliveryMode): Promise<DeliveryOutcome> {
  const repository = await openRepository(cwd);
  const { loop_id: loopId, task, base_tree: base, best_tree: best, left_out: files = [] } = state;
  if (best === undefined) throw noImprovement(loopId);
  const { head } = originOf(state);
  return withSnapshots({ repository, loopId, command: 'apply' }, async (snapshots) => {
    const tree = await treeWithFiles(snapshots, { tree: best, source: base, files });
    return createDelivery({
      repository,
      snapshots,
      loopId,
      task,
      base,
      head,
    }).deliver(tree, how);
  });
}

/** Undoes a loop's delivery. Throws RalphError if the user's later changes would be lost. Returns a sentence for the user. */
export async function undoLoop(cwd: string, loopId: string): Promise<string> {
  const repository = await openRepository(cwd);
  return withSnapshots({ repository, loopId, command: 'undo' }, async (snapshots) => {
    const { message } = await undoDelivery({ repository, snapshots, loopId });
    return message;
  });
}

interface LockedCommand {
  readonly repository: Repository;
  readonly loopId: string;
  readonly command: string;
}

/** Runs `act` with the loop's snapshots, under the repository's lock. */
async function withSnapshots<T>(
  { repository, loopId, command }: LockedCommand,
  act: (snapshots: Snapshots) => Promise<T>,
): Promise<T> {
  const lock = acquireLock(repository.root, { loopId, command });
  try {
    return await act(await openSnapshots(repository, loopId));
  } finally {
    lock.release();
  }
}

function noImprovement(loopId: string): RalphError {
  return new RalphError(`No attempt of ${loopId} was better than the tree it started from.`, {
    code: 'conflict',
    exitCode: ExitCode.workspace,
    hint: `See its attempts: ralph logs ${loopId}`,
  });
}
