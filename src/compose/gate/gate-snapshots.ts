import { withNestedFiles } from '../../workspace/snapshots/nested-trees.ts';
import type { Repository } from '../../workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../workspace/snapshots/snapshots.ts';

/** Snapshots of the user's files as the gate judges them: an agent may edit those of a submodule as well. */
export async function openGateSnapshots(repository: Repository, loopId: string): Promise<Snapshots> {
  return withNestedFiles(await openSnapshots(repository, loopId), repository);
}
