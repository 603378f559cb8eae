import { ExitCode, RalphError } from '../errors.ts';
import type { DeliveryMode, DeliveryOutcome } from '../ports.ts';
import type { LoopState } from '../schema/generated.ts';
import { acquireLock } from '../state/lock.ts';
import { createDelivery } from '../workspace/deliver/deliver.ts';
import { openRepository, type Repository } from '../workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../workspace/snapshots/snapshots.ts';
import { undoDelivery } from '../workspace/deliver/undo.ts';
import { originOf } from './origin.ts';

/** Takes a loop's best tree to the user, verified or not. Throws RalphError where it has none. */
export async function applyBest(cwd: string, state: LoopState, how: DeliveryMode): Promise<DeliveryOutcome> {
  const repository = await openRepository(cwd);
  const { loop_id: loopId, task, base_tree: base, best_tree: best } = state;
  if (best === undefined) throw nothingBetter(loopId);
  const { head } = originOf(state);
  return locked({ repository, loopId, command: 'apply' }, (snapshots) =>
    createDelivery({
      repository,
      snapshots,
      loopId,
      task,
      base,
      ...(head !== undefined && { head }),
    }).deliver(best, how),
  );
}

/** Takes back what a loop delivered. Throws RalphError where it cannot be done without losing something. */
export async function undoLoop(cwd: string, loopId: string): Promise<string> {
  const repository = await openRepository(cwd);
  return locked({ repository, loopId, command: 'undo' }, async (snapshots) => {
    const { message } = await undoDelivery({ repository, snapshots, loopId });
    return message;
  });
}

interface Errand {
  readonly repository: Repository;
  readonly loopId: string;
  readonly command: string;
}

async function locked<T>(errand: Errand, act: (snapshots: Snapshots) => Promise<T>): Promise<T> {
  const { repository, loopId, command } = errand;
  const lock = acquireLock(repository.root, { loopId, command });
  try {
    return await act(await openSnapshots(repository, loopId));
  } finally {
    lock.release();
  }
}

function nothingBetter(loopId: string): RalphError {
  return new RalphError(`No attempt of ${loopId} was better than what was there before.`, {
    code: 'conflict',
    exitCode: ExitCode.workspace,
    hint: `See what was tried: ralph logs ${loopId}`,
  });
}
