import type { Delivery, DeliveryOutcome, TreeId } from '../ports.ts';
import { commitChanges } from './delivery-commit.ts';
import { makeBranch, type ResultBranch } from './delivery-branch.ts';
import { readDelivery, saveDelivery, type DeliveryRecord } from './delivery-record.ts';
import { entryAt, isSameEntry } from './file-entry.ts';
import type { Repository } from './repository.ts';
import type { Snapshots } from './snapshots.ts';
import { NESTED_REPOSITORY, type EntryChange } from './tree-changes.ts';
import { removeLeftovers, writeChanges } from './write-changes.ts';

export interface DeliveryOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly loopId: string;
  readonly task: string;
  /** The user's tree when the loop began. */
  readonly base: TreeId;
  /** Commit that was checked out when the loop began; default: the one that is now. */
  readonly head?: string;
  /** Patch file with the result, relative to the root; named where the result cannot be applied. */
  readonly patchPath?: string;
  /** The workspace is the user's own tree: what is there already is not in the way. */
  readonly inPlace?: boolean;
}

/**
 * Takes a tree to the user. `tree`: written into the user's files, uncommitted, index untouched. `commit`:
 * then committed. `branch`: on `ralph/<loop-id>` alone. Where the user's tree is no longer the base it is
 * left alone and the result kept as a branch. An interrupted delivery is finished by delivering the same
 * tree again. Throws RalphError with exit code 4 where nothing could be delivered.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { repository, snapshots, base, loopId } = options;
  const { root } = repository;
  return {
    async deliver(tree, how) {
      const changes = await resultChanges(snapshots, base, tree);
      if (changes.length === 0)
        return { applied: 'none', conflict: false, message: 'There is nothing to apply.' };
      if (how === 'branch') {
        const { branch } = await toBranch(options, tree, changes);
        return { applied: 'branch', branch, conflict: false, message: `The result is on branch ${branch}.` };
      }
      const moved = await movedPaths(options, tree, changes);
      if (moved.length > 0) return keepAside(options, { tree, changes, moved });

      const record: DeliveryRecord = { base, tree, state: 'applying', applied: 'tree' };
      await saveDelivery(root, loopId, record);
      await writeChanges(root, changes, snapshots);
      await saveDelivery(root, loopId, { ...record, state: 'applied' });
      const files = `${changes.length} ${changes.length === 1 ? 'file' : 'files'}`;
      const undo = `Take it back with: ralph undo ${loopId}`;
      if (how === 'tree') {
        const message = `Applied to your tree, uncommitted: ${files}. ${undo}`;
        return { applied: 'tree', conflict: false, message };
      }
      const commit = await commitChanges(root, changes, messageFor(options));
      if (!commit.ok) {
        const message = `Applied to your tree, but not committed (${commit.problem}): ${files}. ${undo}`;
        return { applied: 'tree', conflict: false, message };
      }
      await saveDelivery(root, loopId, {
        ...record,
        state: 'applied',
        applied: 'commit',
        commit: commit.commit,
      });
      const message = `Committed ${commit.commit.slice(0, 10)} on ${repository.branch ?? 'a detached HEAD'}: ${files}.`;
      return { applied: 'commit', conflict: false, message };
    },
  };
}

/** What a delivery writes: everything that differs but nested repositories, which no snapshot holds. */
export async function resultChanges(
  snapshots: Snapshots,
  base: TreeId,
  tree: TreeId,
): Promise<readonly EntryChange[]> {
  const changes = await snapshots.entryChanges(base, tree);
  return changes.filter(({ before, after }) => (after ?? before)?.mode !== NESTED_REPOSITORY);
}

/** Files of the user's tree that are neither as the base has them nor what an interrupted delivery wrote. */
async function movedPaths(
  { repository, snapshots, base, loopId, inPlace }: DeliveryOptions,
  tree: TreeId,
  changes: readonly EntryChange[],
): Promise<string[]> {
  const { root } = repository;
  const record = readDelivery(root, loopId);
  const isInterrupted = record?.state === 'applying' && record.base === base && record.tree === tree;
  if (isInterrupted) await removeLeftovers(root, changes);
  const wanted = new Map(changes.map((change) => [change.path.toString('latin1'), change]));
  const isOurs = ({ path }: EntryChange): boolean => {
    const change = wanted.get(path.toString('latin1'));
    if (change === undefined) return inPlace === true;
    return (isInterrupted || inPlace === true) && isSameEntry(entryAt(root, path), change.after);
  };
  const since = await snapshots.entryChanges(base, await snapshots.snapshot(root));
  return since.filter((change) => !isOurs(change)).map(({ path }) => path.toString('utf8'));
}

async function keepAside(
  options: DeliveryOptions,
  result: { tree: TreeId; changes: readonly EntryChange[]; moved: readonly string[] },
): Promise<DeliveryOutcome> {
  const { branch } = await toBranch(options, result.tree, result.changes);
  const shown = result.moved.slice(0, 5).join(', ');
  const rest = result.moved.length > 5 ? ` and ${result.moved.length - 5} more` : '';
  const patch = options.patchPath === undefined ? '' : ` and in ${options.patchPath}`;
  const message =
    `Your tree changed while ralph worked (${shown}${rest}) and was left alone; ` +
    `the result is on branch ${branch}${patch}. Take it with: git merge ${branch}`;
  return { applied: 'branch', branch, conflict: true, message };
}

async function toBranch(
  options: DeliveryOptions,
  tree: TreeId,
  changes: readonly EntryChange[],
): Promise<ResultBranch> {
  const { repository, snapshots, base, loopId } = options;
  const head = options.head ?? repository.head;
  const message = messageFor(options);
  const result = await makeBranch({ repository, snapshots, loopId, head, message, changes });
  await saveDelivery(repository.root, loopId, { base, tree, state: 'applied', applied: 'branch', ...result });
  return result;
}

function messageFor({ task, loopId }: DeliveryOptions): string {
  const subject = task.trim().split(/\r?\n/, 1)[0]!.slice(0, 200);
  return `ralph: ${subject}\n\nRalph-Loop: ${loopId}`;
}
