import { readFileSync, rmSync } from 'node:fs';
import { ExitCode, RalphError } from '../../errors.ts';
import type { TreeId } from '../../ports.ts';
import { unreadable, writeDurably } from '../../platform/files/durable-write.ts';
import { RALPH_FOLDER, ralphPath } from '../../platform/ralph-folder.ts';
import { sealedText, unsealText } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';

/** What a loop did to the user's tree. With it and ralph's objects a delivery can be finished or undone. */
export interface DeliveryRecord {
  readonly base: TreeId;
  readonly tree: TreeId;
  /** `applying`: written before the first file is touched. */
  readonly state: 'applying' | 'applied';
  readonly applied: 'tree' | 'commit' | 'branch';
  readonly branch?: string;
  /** In the user's repository. */
  readonly commit?: string;
}

/**
 * The record of one loop's last delivery; undefined where there is none. Throws RalphError `state_damaged` where it is
 * damaged.
 */
export function readDelivery(repositoryRoot: string, loopId: string): DeliveryRecord | undefined {
  const path = pathOf(repositoryRoot, loopId);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const read = unsealText(text);
  if (read.ok && isRecord(read.value)) return read.value;
  throw new RalphError(`${path} is damaged: ${read.ok ? 'it is no record of a delivery' : read.problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `What was applied can be taken back by its patch: git apply -R ${PATCHES(loopId)}`,
  });
}

/**
 * The same, before a delivery of `tree`. Of a damaged record, which is kept beside its place, no more is believed than
 * that this very delivery may have begun: each file is looked at before it is touched.
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
    await keepDamaged(path, readFileSync(path));
    const assumed = { base, tree, state: 'applying', applied: 'tree' } as const;
    await saveDelivery(repositoryRoot, loopId, assumed);
    return assumed;
  }
}

/** Stores it durably before the promise resolves. */
export async function saveDelivery(
  repositoryRoot: string,
  loopId: string,
  record: DeliveryRecord,
): Promise<void> {
  await writeDurably(pathOf(repositoryRoot, loopId), sealedText(record));
}

export function forgetDelivery(repositoryRoot: string, loopId: string): void {
  rmSync(pathOf(repositoryRoot, loopId), { force: true });
}

function pathOf(repositoryRoot: string, loopId: string): string {
  return ralphPath(repositoryRoot, 'loops', loopId, 'delivery.json');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

const PATCHES = (loopId: string): string => `${RALPH_FOLDER}/loops/${loopId}/attempts/<NNN>/patch.diff`;
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
