import type { Delivery } from '../../ports.ts';
import type { DeliveryOutcome, TreeId } from '../../ports/tree.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { limitGit } from '../../platform/git/limits.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { plural } from '../../platform/text/plural.ts';
import { commitChanges } from './commit.ts';
import { commitHooks } from './commit-hooks.ts';
import { makeBranch, type ResultBranch } from './branch.ts';
import { readDelivery, salvageDelivery, saveDelivery, type DeliveryRecord } from './record.ts';
import { entryAt, isSameEntry } from '../snapshots/file-entry.ts';
import type { Repository } from '../repository.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { NESTED_REPOSITORY, type EntryChange } from '../snapshots/tree-changes.ts';
import { removeLeftovers, writeChanges } from './write-changes.ts';

export interface DeliveryOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly loopId: string;
  readonly task: string;
  /** The user's tree when the loop began. */
  readonly base: TreeId;
  /** Commit that was checked out when the loop began; default: the present one. */
  readonly head?: string;
  /** Patch file with the result, relative to the root; shown if the result cannot be applied. */
  readonly patchPath?: string;
  /** True if the workspace is the user's own tree, which has the changes already. */
  readonly inPlace?: boolean;
  /** Runs the user's hooks at a commit: only where the loop's own programs had the user's rights. Default false. */
  readonly hooks?: boolean;
}

/** A tree to deliver. */
interface Result {
  readonly tree: TreeId;
  /** Changes against the base; never empty. */
  readonly changes: readonly EntryChange[];
}

/**
 * Delivers trees to the user's repository. `tree` writes the files, uncommitted and without touching the index; `commit`
 * commits them too; `branch` only creates the branch `ralph/<loop-id>`. If the user has changed a file of the result since
 * the base, the tree is not touched and the result is stored as a branch; other changes of the user's are left alone and
 * named. Delivering the same tree again completes an interrupted delivery.
 * Throws RalphError with exit code 4 if nothing could be delivered.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  return {
    async deliver(tree, how) {
      await salvageDelivery(options.repository.root, options.loopId, { base: options.base, tree });
      const result = { tree, changes: await resultChanges(options.snapshots, options.base, tree) };
      if (result.changes.length === 0) {
        return { applied: 'none', conflict: false, message: 'There is nothing to apply.' };
      }
      if (how === 'branch') {
        const { branch } = await toBranch(options, result);
        return { applied: 'branch', branch, conflict: false, message: `The result is on branch ${branch}.` };
      }
      const earlier = alreadyApplied(options, result);
      if (earlier !== undefined) return earlier;
      const changed = await changedByUser(options, result);
      const inTheWay = changed.filter((path) => overlaps(path, result));
      if (inTheWay.length > 0) return deliverConflict(options, result, inTheWay);
      const record = await toTree(options, result);
      const outcome =
        how === 'tree' ? appliedOutcome(options, result) : await toCommit(options, result, record);
      return { ...outcome, message: outcome.message + leftAlone(changed) };
    },
  };
}

/** Whether a result would write the file, a folder in its place, or a file in place of one of its folders. */
function overlaps(path: Buffer, { changes }: Result): boolean {
  const name = path.toString('latin1');
  return changes
    .map((change) => change.path.toString('latin1'))
    .some((ours) => ours === name || ours.startsWith(`${name}/`) || name.startsWith(`${ours}/`));
}

/** A sentence that names what the user changed during the loop; empty if nothing. */
function leftAlone(changed: readonly Buffer[]): string {
  if (changed.length === 0) return '';
  return ` You changed ${listOf(changed)} meanwhile: left as you have it, and not part of what was checked.`;
}

function listOf(paths: readonly Buffer[]): string {
  const shown = paths.slice(0, 5).map((path) => path.toString('utf8'));
  return shown.join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}

async function toTree(
  { repository, snapshots, base, loopId }: DeliveryOptions,
  { tree, changes }: Result,
): Promise<DeliveryRecord> {
  const { root } = repository;
  const record = { base, tree, applied: 'tree' } as const;
  await saveDelivery(root, loopId, { ...record, state: 'applying' });
  failpoint('delivery.noted', root);
  await writeChanges(root, changes, snapshots);
  failpoint('delivery.written', root);
  const applied = { ...record, state: 'applied' } as const;
  await saveDelivery(root, loopId, applied);
  failpoint('delivery.done', root);
  return applied;
}

async function toCommit(
  options: DeliveryOptions,
  result: Result,
  record: DeliveryRecord,
): Promise<DeliveryOutcome> {
  const { repository, loopId, hooks = false } = options;
  const { changes } = result;
  const request = { changes, message: messageFor(options), hooks };
  // A commit that has begun is not cut short by an interrupt.
  const outcome = await limitGit({}, () => commitChanges(repository.root, request));
  if (!outcome.ok) return appliedOutcome(options, result, `not committed: ${outcome.problem}`);
  await saveDelivery(repository.root, loopId, { ...record, applied: 'commit', commit: outcome.commit });
  const where = `${outcome.commit.slice(0, 10)} on ${repository.branch ?? 'a detached HEAD'}`;
  const left = hooks ? '' : hooksLeftOut(await commitHooks(repository.root));
  return { applied: 'commit', conflict: false, message: `Committed ${where}: ${filesOf(result)}.${left}` };
}

/** A sentence that names the hooks that did not run; empty if there are none. */
function hooksLeftOut(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` These hooks did not run, because they may run code that nobody has reviewed: ${names.join(', ')}.`;
}

function appliedOutcome({ loopId }: DeliveryOptions, result: Result, how = 'uncommitted'): DeliveryOutcome {
  const undo = `Take it back with: ralph undo ${loopId}`;
  const message = `Applied to your tree, ${how} (${filesOf(result)}). ${undo}`;
  return { applied: 'tree', conflict: false, message };
}

function filesOf({ changes }: Result): string {
  return plural(changes.length, 'file');
}

/** The outcome of an earlier delivery of the same tree, if it is still in place: a crash may have come after it. */
function alreadyApplied(
  { repository, base, loopId }: DeliveryOptions,
  { tree, changes }: Result,
): DeliveryOutcome | undefined {
  const { root } = repository;
  const record = readDelivery(root, loopId);
  if (record?.state !== 'applied' || record.applied === 'branch') return undefined;
  const isSame = record.base === base && record.tree === tree;
  if (!isSame || !changes.every(({ path, after }) => isSameEntry(entryAt(root, path), after)))
    return undefined;
  const message = `It is in your tree already. Take it back with: ralph undo ${loopId}`;
  return { applied: record.applied, conflict: false, message };
}

/** The changes that a delivery writes: all but nested repositories, which snapshots do not contain. */
export async function resultChanges(
  snapshots: Snapshots,
  base: TreeId,
  tree: TreeId,
): Promise<readonly EntryChange[]> {
  const changes = await snapshots.entryChanges(base, tree);
  return changes.filter(({ before, after }) => (after ?? before)?.mode !== NESTED_REPOSITORY);
}

/** Files of the user's tree that differ from the base and were not written by an interrupted delivery. */
async function changedByUser(
  { repository, snapshots, base, loopId, inPlace }: DeliveryOptions,
  { tree, changes }: Result,
): Promise<Buffer[]> {
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
  return since.filter((change) => !isOurs(change)).map(({ path }) => path);
}

async function deliverConflict(
  options: DeliveryOptions,
  result: Result,
  changed: readonly Buffer[],
): Promise<DeliveryOutcome> {
  const { branch } = await toBranch(options, result);
  const patch = options.patchPath === undefined ? '' : ` and in ${options.patchPath}`;
  const message =
    `Your tree changed during the loop (${listOf(changed)}) and was not touched; ` +
    `the result is on branch ${branch}${patch}. Merge it with: git merge ${branch}`;
  return { applied: 'branch', branch, conflict: true, message };
}

async function toBranch(options: DeliveryOptions, { tree, changes }: Result): Promise<ResultBranch> {
  const { repository, snapshots, base, loopId } = options;
  const head = options.head ?? repository.head;
  const message = messageFor(options);
  const result = await makeBranch({ repository, snapshots, loopId, head, message, changes });
  const earlier = readDelivery(repository.root, loopId);
  // A record of changes in the user's files is kept for undo: they are harder to undo than a branch.
  if (earlier === undefined || earlier.applied === 'branch') {
    await saveDelivery(repository.root, loopId, {
      base,
      tree,
      state: 'applied',
      applied: 'branch',
      ...result,
    });
  }
  return result;
}

function messageFor({ task, loopId }: DeliveryOptions): string {
  const subject = redact(task).trim().split(/\r?\n/, 1)[0]!.slice(0, 200);
  return `ralph: ${subject}\n\nRalph-Loop: ${loopId}`;
}
