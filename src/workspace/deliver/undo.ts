import { ExitCode, RalphError } from '../../errors.ts';
import { resultChanges } from './deliver.ts';
import { deleteBranch } from './branch.ts';
import { forgetDelivery, readDelivery, type DeliveryRecord } from './record.ts';
import { entryAt, inverse, isSameEntry } from '../snapshots/file-entry.ts';
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
  /** Files that were put back, relative to the root. */
  readonly files: readonly string[];
  /** One sentence for the user. */
  readonly message: string;
}

/**
 * Takes back what a loop delivered, a half-finished delivery included: the files as they were before, or the
 * branch deleted. Throws RalphError `conflict` and touches nothing where the loop delivered nothing, or a
 * file or the branch is no longer what ralph left.
 */
export async function undoDelivery({ repository, snapshots, loopId }: UndoRequest): Promise<UndoOutcome> {
  const { root } = repository;
  const record = readDelivery(root, loopId);
  if (record === undefined) throw conflict(`Loop ${loopId} has applied nothing.`, 'ralph apply would.');
  if (record.applied === 'branch') return undoBranch(record, root, loopId);
  const changes = await resultChanges(snapshots, record.base, record.tree);
  const foreign = changes.filter((change) => !isOursOrBefore(root, change)).map(nameOf);
  if (foreign.length > 0) throw changedSince(foreign);

  const written = changes.filter(({ path, after }) => isSameEntry(entryAt(root, path), after));
  await removeLeftovers(root, changes);
  await writeChanges(root, written.map(inverse), snapshots);
  forgetDelivery(root, loopId);
  const count = `${written.length} ${written.length === 1 ? 'file is' : 'files are'}`;
  const kept =
    record.commit === undefined ? '' : `; the commit stays: git revert ${record.commit.slice(0, 10)}`;
  return { files: written.map(nameOf), message: `${count} as before${kept}.` };
}

async function undoBranch(record: DeliveryRecord, root: string, loopId: string): Promise<UndoOutcome> {
  const { branch = '', commit = '' } = record;
  if (!(await deleteBranch({ branch, commit }, root))) {
    throw conflict(`The branch ${branch} is no longer what ralph left there.`, `git branch -D ${branch}`);
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

function changedSince(files: readonly string[]): RalphError {
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  const hint = 'Keep your changes elsewhere (git stash), or take ralph’s back by hand from the patch.';
  return conflict(`Changed since ralph wrote them, and so left alone: ${shown}.`, hint);
}

function conflict(message: string, hint: string): RalphError {
  return new RalphError(message, { code: 'conflict', exitCode: ExitCode.workspace, hint });
}
