import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore } from '../../gate/session-store.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { gitFolders } from '../../platform/git/git-folders.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { Repository } from '../../workspace/repository.ts';

/** Commits that an agent cannot have made, for they were there at the start of its session. */
export interface KnownCommits {
  /** Ids of the commits that a reference named at the start. */
  readonly commits: readonly string[];
  /** The branch that was checked out at the start; null for a detached HEAD. */
  readonly branch: string | null;
  /** The configuration of remotes at the start. */
  readonly remotes: string;
}

const FILE = 'commits.json';

/** Stores in the folder of a session which commits are there. Throws if that is not possible. */
export async function noteCommits(
  session: string,
  { root, head, branch }: Repository,
  store: Pick<SessionStore, 'folder'>,
): Promise<void> {
  const listed = await git(['for-each-ref', '--format=%(objectname)'], { cwd: root });
  const commits = [...new Set([head, ...linesOf(listed)])];
  const folder = store.folder(session);
  mkdirSync(folder, { recursive: true });
  const known: KnownCommits = { commits, branch, remotes: await remotesOf(root) };
  await writeDurably(join(folder, FILE), JSON.stringify(known));
}

/** Undefined if nothing was stored. */
export function readCommits(session: string, store: Pick<SessionStore, 'folder'>): KnownCommits | undefined {
  try {
    return JSON.parse(readFileSync(join(store.folder(session), FILE), 'utf8')) as KnownCommits;
  } catch {
    return undefined;
  }
}

/** A commit that was fetched. */
export interface Fetched {
  readonly id: string;
  /** Such as `origin/main`. */
  readonly name: string;
}

/**
 * The commits that were fetched since the start, if the remotes are configured as they were then. By the record of git, each was fetched and
 * not pushed from here or written by hand; an agent with access to a remote may still have made them elsewhere.
 */
export async function fetchedCommits(
  { remotes, commits }: KnownCommits,
  { root }: Pick<Repository, 'root'>,
): Promise<readonly Fetched[]> {
  if ((await remotesOf(root)) !== remotes) return [];
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes'], {
    cwd: root,
  });
  const known = new Set(commits);
  const [, common] = gitFolders(root);
  return linesOf(listed).flatMap((line) => {
    const [id = '', ref = ''] = line.split(' ');
    const isNew = !known.has(id) && wasFetched(textOf(join(common, 'logs', ref)), known);
    return isNew ? [{ id, name: ref.replace('refs/remotes/', '') }] : [];
  });
}

/** Lines `<old> <new> <who> <time>\t<what>` (gitrepository-layout(5), "logs"): those since the last commit of the start. */
function wasFetched(log: string, known: ReadonlySet<string>): boolean {
  const entries = log.split('\n').filter((line) => line !== '');
  const lastKnown = entries.findLastIndex((line) => known.has(line.split(' ')[1] ?? ''));
  const since = entries.slice(lastKnown + 1);
  return since.length > 0 && since.every((line) => /^(?:fetch|pull)\b/.test(line.split('\t')[1] ?? ''));
}

async function remotesOf(root: string): Promise<string> {
  const { stdout } = await runGit(['config', '--get-regexp', '^(remote|url)\\.'], { cwd: root });
  return stdout.toString('utf8');
}

function linesOf(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
