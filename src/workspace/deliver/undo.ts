import { ExitCode, RalphError } from '../../errors.ts';
import { resultChanges } from './deliver.ts';
import { deleteBranch } from './branch.ts';
import { forgetDelivery, readDelivery, type DeliveryRecord } from './record.ts';
import { entryAt, inverse, isSameEntry } from '../snapshots/file-entry.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Repository } from '../repository.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { EntryChange } from '../snapshots/tree-changes.ts';
import { removeLeftovers, writeChanges } from './write-changes.ts';

export interface UndoRequest {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly loopId: string;
}

export interface UndoOutcome {
  /** Files that were restored, relative to the root. */
  readonly files: readonly string[];
  /** One sentence for the user. */
  readonly message: string;
}

/**
 * Undoes a loop's delivery, also an interrupted one: restores the files, or deletes the branch. Throws RalphError
 * `conflict`, without touching anything, if the loop delivered nothing or a file or the branch has changed since.
 */
export async function undoDelivery({ repository, snapshots, loopId }: UndoRequest): Promise<UndoOutcome> {
  const { root } = repository;
  const record = readDelivery(root, loopId);
  if (record === undefined)
    throw conflict(
      `Loop ${loopId} has not applied anything.`,
      `Apply its best attempt: ralph apply ${loopId}`,
    );
  if (record.applied === 'branch') return undoBranch(record, root, loopId);
  const changes = await resultChanges(snapshots, record.base, record.tree);
  const changedSince = changes.filter((change) => !isOursOrBefore(root, change)).map(nameOf);
  if (changedSince.length > 0) throw changedSinceError(changedSince);

  const written = changes.filter(({ path, after }) => isSameEntry(entryAt(root, path), after));
  await removeLeftovers(root, changes);
  await writeChanges(root, written.map(inverse), snapshots);
  forgetDelivery(root, loopId);
  const files = plural(written.length, 'file');
  const kept =
    record.commit === undefined
      ? ''
      : `; the commit stays, revert it with: git revert ${record.commit.slice(0, 10)}`;
  return { files: written.map(nameOf), message: `Restored ${files}${kept}.` };
}

async function undoBranch(record: DeliveryRecord, root: string, loopId: string): Promise<UndoOutcome> {
  const { branch = '', commit = '' } = record;
  if (!(await deleteBranch({ branch, commit }, root))) {
    throw conflict(`The branch ${branch} has changed since ralph created it.`, `git branch -D ${branch}`);
  }
  forgetDelivery(root, loopId);
  return { files: [], message: `The branch ${branch} is deleted.` };
}

function isOursOrBefore(root: string, { path, before, after }: EntryChange): boolean {
  const now = entryAt(root, path);
  return isSameEntry(now, after) || isSameEntry(now, before);
}

function nameOf({ path }: EntryChange): string {
  return path.toString('utf8');
}

function changedSinceError(files: readonly string[]): RalphError {
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  const hint = 'Save your changes (git stash) and try again, or undo by hand with the patch.';
  return conflict(`Not undone, because these files have changed since ralph wrote them: ${shown}.`, hint);
}

function conflict(message: string, hint: string): RalphError {
  return new RalphError(message, { code: 'conflict', exitCode: ExitCode.workspace, hint });
}
