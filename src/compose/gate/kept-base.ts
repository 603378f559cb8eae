import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore } from '../../gate/session-store.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { git } from '../../platform/git/git.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import type { Snapshots, TreeEdit } from '../../workspace/snapshots/snapshots.ts';
import { NESTED_REPOSITORY, type TreeEntry } from '../../workspace/snapshots/tree-changes.ts';
import { committedTree } from './committed-trees.ts';

interface Kept {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly store: Pick<SessionStore, 'folder'>;
}

/** The files that differ from the commit of the start. Paths are in base64, since they need not be valid UTF-8. */
type Differences = readonly (readonly [path: string, entry: TreeEntry | null])[];

const DIFFERENCES = 'base.json';
const PACK = 'base';

/**
 * Keeps what the base of a session has beside the commit of its start, such as files that were not committed yet, in the folder of the
 * session: an agent may remove the snapshots, which lie in the repository. Throws if it cannot be written.
 */
export async function keepBase(session: GateSession, { repository, snapshots, store }: Kept): Promise<void> {
  const { head, base_tree: base } = session;
  if (head === undefined) return;
  const changes = await snapshots.entryChanges(await committedTree(repository, snapshots, head), base);
  if (changes.length === 0) return;
  const folder = store.folder(session.session);
  mkdirSync(folder, { recursive: true });
  const blobs = changes.flatMap(({ after }) =>
    after === undefined || after.mode === NESTED_REPOSITORY ? [] : after.id,
  );
  const own = { cwd: snapshots.gitDir, gitDir: snapshots.gitDir };
  if (blobs.length > 0)
    await git(['pack-objects', '-q', join(folder, PACK)], { ...own, input: `${blobs.join('\n')}\n` });
  const differences: Differences = changes.map(({ path, after }) => [path.toString('base64'), after ?? null]);
  await writeDurably(join(folder, DIFFERENCES), JSON.stringify(differences));
}

/** Puts the base of a session into the snapshots again; false if that is not possible. Throws RalphError if git fails. */
export async function restoreBase(
  session: GateSession,
  { repository, snapshots, store }: Kept,
): Promise<boolean> {
  const { head, base_tree: base } = session;
  if (head === undefined) return false;
  const committed = await committedTree(repository, snapshots, head);
  if (committed === base) return true;
  return (await restoredTree(committed, store.folder(session.session), snapshots)) === base;
}

async function restoredTree(
  committed: TreeId,
  folder: string,
  snapshots: Snapshots,
): Promise<TreeId | undefined> {
  try {
    const packs = join(snapshots.gitDir, 'objects', 'pack');
    mkdirSync(packs, { recursive: true });
    for (const name of readdirSync(folder).filter((it) => /^base-[0-9a-f]+\.(?:pack|idx)$/.test(it)))
      copyFileSync(join(folder, name), join(packs, name.replace(/^base/, 'pack')));
    const kept = JSON.parse(readFileSync(join(folder, DIFFERENCES), 'utf8')) as Differences;
    const edits = kept.map(([path, entry]): TreeEdit => ({
      path: Buffer.from(path, 'base64'),
      ...(entry !== null && { entry }),
    }));
    return await snapshots.amend(committed, edits);
  } catch {
    return undefined;
  }
}
