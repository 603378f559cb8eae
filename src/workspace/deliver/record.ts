import { rmSync } from 'node:fs';
import { ExitCode, RalphError } from '../../errors.ts';
import type { TreeId } from '../../ports/tree.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { unreadable } from '../../platform/files/file-errors.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { sealedText, unsealText } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';

/** A loop's delivery, so that it can be completed after a crash, or undone. */
export interface DeliveryRecord {
  readonly base: TreeId;
  readonly tree: TreeId;
  /** `applying` is stored before the first file is written. */
  readonly state: 'applying' | 'applied';
  readonly applied: 'tree' | 'commit' | 'branch';
  readonly branch?: string;
  /** Commit in the user's repository. */
  readonly commit?: string;
}

/** The record of a loop's last delivery; undefined if there is none. Throws RalphError `state_damaged`. */
export function readDelivery(repositoryRoot: string, loopId: string): DeliveryRecord | undefined {
  const path = pathOf(repositoryRoot, loopId);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const read = unsealText(text);
  if (read.ok && isRecord(read.value)) return read.value;
  throw new RalphError(`${path} is damaged: ${read.ok ? 'it is not a record of a delivery' : read.problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `Undo the delivery with its patch: git apply -R ${PATCHES(loopId)}`,
  });
}

/**
 * Reads the record before a delivery of `tree`. A damaged record is set aside and replaced by one that says that this
 * delivery may have started, so that each file is compared before it is written.
 */
export async function salvageDelivery(
  repositoryRoot: string,
  loopId: string,
  { base, tree }: { readonly base: TreeId; readonly tree: TreeId },
): Promise<DeliveryRecord | undefined> {
  try {
    return readDelivery(repositoryRoot, loopId);
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== 'state_damaged') throw error;
    const path = pathOf(repositoryRoot, loopId);
    await keepDamaged(path, readOwnFile(path));
    const assumed = { base, tree, state: 'applying', applied: 'tree' } as const;
    await saveDelivery(repositoryRoot, loopId, assumed);
    return assumed;
  }
}

/** Stores the record; it is on the disk before the promise resolves. */
export async function saveDelivery(
  repositoryRoot: string,
  loopId: string,
  record: DeliveryRecord,
): Promise<void> {
  await writeDurably(pathOf(repositoryRoot, loopId), sealedText(record));
}

/** Deletes the record. */
export function forgetDelivery(repositoryRoot: string, loopId: string): void {
  rmSync(pathOf(repositoryRoot, loopId), { force: true });
}

function pathOf(repositoryRoot: string, loopId: string): string {
  return ralphFolder(repositoryRoot).delivery(loopId);
}

function readIfThere(path: string): string | undefined {
  try {
    return readOwnFile(path).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/** Path of the attempts' patches, with a placeholder for the attempt. */
const PATCHES = (loopId: string): string => `${RALPH_PATHS.attempts(loopId)}/<NNN>/patch.diff`;
const TREE_ID = /^[0-9a-f]{40,64}$/;

function isRecord(value: unknown): value is DeliveryRecord {
  const { base, tree, state, applied } = (value ?? {}) as Partial<Record<keyof DeliveryRecord, unknown>>;
  const areTrees = [base, tree].every((id) => typeof id === 'string' && TREE_ID.test(id));
  return (
    areTrees &&
    (state === 'applying' || state === 'applied') &&
    (applied === 'tree' || applied === 'commit' || applied === 'branch')
  );
}
