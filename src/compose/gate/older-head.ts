import type { TreeId } from '../../ports/tree.ts';
import { mergeKeepingOurs } from '../../workspace/snapshots/merge-trees.ts';
import { ask, isAncestor } from './commit-graph.ts';
import { committedTree } from './committed-trees.ts';
import type { KnownCommits } from './known-commits.ts';
import type { Judged, MovedBase } from './moved-head.ts';

interface Left {
  readonly base: TreeId;
  /** The commit on which the session began. */
  readonly start: string;
  readonly known: Pick<KnownCommits, 'branch'>;
}

/**
 * The base where HEAD has left the commit of the start for one before it, as by a checkout of a tag: the files of that commit, with what was not
 * committed at the start. A branch that was set back keeps its base, for a checkout takes nothing from a branch; the user is told of it. Undefined
 * where HEAD has left nothing.
 */
export async function olderBase(
  { base, start, known }: Left,
  { repository, snapshots }: Pick<Judged, 'repository' | 'snapshots'>,
): Promise<MovedBase | undefined> {
  const { root, head, branch } = repository;
  if (await isAncestor(start, head, root)) return undefined;
  const [older, ...others] = (await ask(['merge-base', '--all', start, head], root)) ?? [];
  if (older === undefined || others.length > 0) return undefined;
  if (branch !== null && branch === known.branch)
    return older === head ? { base, notes: [setBack(branch, older, start)] } : undefined;
  const [from, theirs, now] = await Promise.all(
    [start, older, head].map((it) => committedTree(repository, snapshots, it)),
  );
  const left = await snapshots.entryChanges(theirs!, from!);
  const changed = await snapshots.entryChanges(from!, now!);
  const other = new Set(changed.map(({ path }) => path.toString('latin1')));
  // A commit that was made anew, as by an amendment, still has what the one of the start had.
  if (!left.every(({ path }) => other.has(path.toString('latin1')))) return undefined;
  const tree = await mergeKeepingOurs({ snapshots, base: from!, ours: base, theirs: theirs! });
  return tree === undefined || tree === base ? undefined : { base: tree, notes: [describe(older)] };
}

function describe(older: string): string {
  return `HEAD has left the commit of the start for commit ${older.slice(0, 10)}, which is older. Its files count as those of the start: tests that were added or changed after it judge nothing.`;
}

function setBack(branch: string, older: string, start: string): string {
  return `${branch} was set back from commit ${start.slice(0, 10)} to ${older.slice(0, 10)}: the files are compared with those of the start, as if they had been edited. git reset --keep ${start.slice(0, 10)} takes that back.`;
}
