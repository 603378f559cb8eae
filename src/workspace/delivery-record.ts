import { readFileSync, rmSync } from 'node:fs';
import type { TreeId } from '../ports.ts';
import { writeDurably } from '../util/durable-write.ts';
import { ralphPath } from '../util/ralph-folder.ts';

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

/** The record of one loop's last delivery; undefined where there is none, or it cannot be read. */
export function readDelivery(repositoryRoot: string, loopId: string): DeliveryRecord | undefined {
  try {
    const value = JSON.parse(readFileSync(pathOf(repositoryRoot, loopId), 'utf8')) as unknown;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Stores it durably before the promise resolves. */
export async function saveDelivery(
  repositoryRoot: string,
  loopId: string,
  record: DeliveryRecord,
): Promise<void> {
  await writeDurably(pathOf(repositoryRoot, loopId), `${JSON.stringify(record, null, 2)}\n`);
}

export function forgetDelivery(repositoryRoot: string, loopId: string): void {
  rmSync(pathOf(repositoryRoot, loopId), { force: true });
}

function pathOf(repositoryRoot: string, loopId: string): string {
  return ralphPath(repositoryRoot, 'loops', loopId, 'delivery.json');
}

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
