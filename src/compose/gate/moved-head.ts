import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore } from '../../gate/session-store.ts';
import { joinList } from '../../prompts/phrases.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import { mergeKeepingOurs } from '../../workspace/snapshots/merge-trees.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { areAllIn, ask, isAncestor } from './commit-graph.ts';
import { committedTree } from './committed-trees.ts';
import { fetchedCommits, readCommits, type KnownCommits } from './known-commits.ts';
import { olderBase } from './older-head.ts';

/** The repository that a session belongs to, with its snapshots and sessions. */
export interface Judged {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly store: Pick<SessionStore, 'folder'>;
}

/** A base, and sentences for the user on commits that it has beside those of the start. */
export interface MovedBase {
  readonly base: TreeId;
  readonly notes: readonly string[];
}

/**
 * The base of a session after a checkout, a merge or a pull: the files of the start with the changes of commits that are not the agent's,
 * those that were there at the start, also older ones, and those that were fetched since. What only the agent's own commits have is its edit, as
 * before.
 */
export async function movedBase(session: GateSession, judged: Judged): Promise<MovedBase> {
  const { base_tree: base, head: start } = session;
  const { repository, store } = judged;
  const known = readCommits(session.session, store);
  const unmoved = { base, notes: [] };
  if (start === undefined || known === undefined || start === repository.head) return unmoved;
  // A commit could have other parents by it than those it was made with.
  if (existsSync(join(repository.commonDir, 'info', 'grafts'))) return unmoved;
  const fetched = await fetchedCommits(known, repository);
  const trusted = [...known.commits, ...fetched.map(({ id }) => id)];
  const brought = await broughtCommits(start, trusted, repository);
  if (brought?.length === 0) return (await olderBase({ base, start, known }, judged)) ?? unmoved;
  if (brought === undefined || brought.length > MOST_COMMITS) return unmoved;
  const tree = await withCommits({ base, start, known, brought }, judged);
  if (tree === undefined || tree === base) return unmoved;
  const isOld = await areAllIn(brought, known.commits, repository);
  return { base: tree, notes: [describe(brought, isOld)] };
}

/** More branches than this are merged into one by nobody who wants to know what is in it. */
const MOST_COMMITS = 8;

function describe(brought: readonly string[], isOld: boolean): string {
  const [commit, was, changes] =
    brought.length === 1 ? ['commit', 'was', 'Its'] : ['commits', 'were', 'Their'];
  const names = joinList(brought.map((id) => id.slice(0, 10)));
  const origin = isOld
    ? `${was} there at the start of the session`
    : `${was} fetched since the start, and could be the agent's own if it has access to the remote`;
  return `HEAD has ${commit} ${names}, which ${origin}. ${changes} files count as those of the start.`;
}

/** The latest commits in the history of HEAD that are trusted and not in that of the start; undefined if that cannot be told. */
async function broughtCommits(
  start: string,
  trusted: readonly string[],
  { root, head }: Repository,
): Promise<string[] | undefined> {
  const input = [head, ...trusted.map((id) => `^${id}`), ''].join('\n');
  const args = ['rev-list', '--boundary', '--ignore-missing', '--stdin'];
  const listed = await ask(args, root, input);
  if (listed === undefined) return undefined;
  const edge = listed.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  const all = listed.length === 0 ? [head] : edge;
  if (all.length > 4 * MOST_COMMITS) return undefined;
  const fresh: string[] = [];
  for (const id of all) if (!(await isAncestor(id, start, root))) fresh.push(id);
  return fresh.length < 2 ? fresh : ask(['merge-base', '--independent', ...fresh], root);
}

interface Brought {
  readonly base: TreeId;
  readonly start: string;
  readonly known: KnownCommits;
  readonly brought: readonly string[];
}

async function withCommits(
  { base, start, known, brought }: Brought,
  { repository, snapshots }: Judged,
): Promise<TreeId | undefined> {
  const { root, head, branch } = repository;
  // After a checkout of another branch, the commits of the start are no longer part of the files; after a rebase they are.
  const isKept = (await isAncestor(start, head, root)) || (branch !== null && branch === known.branch);
  if (!isKept && brought.length > 1) return undefined;
  let tree = base;
  for (const commit of brought) {
    const joint = isKept ? await ask(['merge-base', start, commit], root) : [start];
    if (joint?.[0] === undefined) return undefined;
    const [from, theirs] = await Promise.all(
      [joint[0], commit].map((it) => committedTree(repository, snapshots, it)),
    );
    const merged = await mergeKeepingOurs({ snapshots, base: from!, ours: tree, theirs: theirs! });
    if (merged === undefined) return undefined;
    tree = merged;
  }
  return tree;
}
