import { git, splitNul } from '../../platform/git/git.ts';
import { isEnded } from '../../platform/git/limits.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { SessionStore } from '../../gate/session-store.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import { withNestedCommits } from '../../workspace/snapshots/nested-commits.ts';
import type { Snapshots, TreeEdit } from '../../workspace/snapshots/snapshots.ts';
import { NESTED_REPOSITORY } from '../../workspace/snapshots/tree-changes.ts';
import { committedTree } from './committed-trees.ts';
import { restoreBase } from './kept-base.ts';

/** The tree that is judged. */
interface Judged {
  readonly snapshots: Snapshots;
  readonly tree: TreeId;
  readonly store: SessionStore;
}

/**
 * The session with a base that is there. If the snapshot of the start was removed, it is made anew from what was kept of it; if
 * that is gone as well, the commit of the start takes its place, and a sentence says so. A submodule that was fetched since is compared with the commit that the start names for it.
 */
export async function withBase(
  session: GateSession,
  repository: Repository,
  judged: Judged,
): Promise<{ session: GateSession; notes: string[] }> {
  const { base_tree: base, head } = session;
  if (head === undefined || (await isStored(base, judged))) {
    const tree = await withFetched(session, repository, judged);
    return { session: tree === base ? session : { ...session, base_tree: tree }, notes: [] };
  }
  if (await restoreBase(session, { repository, ...judged })) return { session, notes: [] };
  const tree = await committedTree(repository, judged.snapshots, head);
  return {
    session: { ...session, base_tree: tree },
    notes: [
      `The stored files of the start are gone: the files are compared with commit ${head.slice(0, 10)}, on which the session began.`,
    ],
  };
}

/** Asked by its files, which are needed in any case. */
async function isStored(tree: TreeId, { snapshots }: Judged): Promise<boolean> {
  try {
    await snapshots.listFiles(tree);
    return true;
  } catch (error) {
    if (isEnded(error)) throw error;
    return false;
  }
}

/** The base with the submodules that only the judged tree has files of, as far as their commits of the start are there. */
async function withFetched(
  { base_tree: base, head }: GateSession,
  repository: Repository,
  { snapshots, tree }: Omit<Judged, 'store'>,
): Promise<TreeId> {
  const files = await ownFiles(base, snapshots);
  if (head === undefined || !files.includes('.gitmodules')) return base;
  const now = await snapshots.listFiles(tree);
  const links = (await linksOf(head, repository)).filter(({ path }) => {
    const folder = `${path.toString('utf8')}/`;
    return !files.some((it) => `${it}/`.startsWith(folder)) && now.some((it) => it.path.startsWith(folder));
  });
  if (links.length === 0) return base;
  return withNestedCommits(repository, snapshots, await snapshots.amend(base, links));
}

/** A sentence on submodules of which the judged tree has files and the base only a commit that is not there. */
export async function describeUnknown(
  base: TreeId,
  { snapshots, tree }: Omit<Judged, 'store'>,
): Promise<string[]> {
  const links = (await snapshots.listFiles(base)).filter(({ mode }) => mode === NESTED_REPOSITORY);
  if (links.length === 0) return [];
  const files = await ownFiles(tree, snapshots);
  const unknown = links
    .map(({ path }) => path)
    .filter((path) => files.some((it) => it.startsWith(`${path}/`)));
  if (unknown.length === 0) return [];
  return [
    `The commit of the start is not there for ${unknown.join(', ')}: what was changed in it cannot be told.`,
  ];
}

async function ownFiles(tree: TreeId, snapshots: Snapshots): Promise<string[]> {
  const files = await snapshots.listFiles(tree);
  return files.filter(({ mode }) => mode !== NESTED_REPOSITORY).map(({ path }) => path);
}

/** The entries for submodules in the tree of a commit. */
async function linksOf(commit: string, { root }: Repository): Promise<TreeEdit[]> {
  const listed = await git(['--no-replace-objects', 'ls-tree', '-r', '-z', commit], { cwd: root });
  return splitNul(listed).flatMap((item) => {
    const tab = item.indexOf(0x09);
    const [mode, kind, id] = item.toString('latin1', 0, tab).split(' ');
    return kind === 'commit' ? [{ path: item.subarray(tab + 1), entry: { mode: mode!, id: id! } }] : [];
  });
}
