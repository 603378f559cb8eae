import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
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
  const own = gitRecords(common);
  return linesOf(listed).flatMap((line) => {
    const [id = '', ref = ''] = line.split(' ');
    const log = textOf(join(common, 'logs', ref));
    const isNew =
      !known.has(id) && !own.made.has(id) && wasFetched(log, known) && agrees({ id, ref, log }, own);
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

/** Records of git on commits, beside the references of a repository. */
interface GitRecords {
  /** Ids of commits that were made here. */
  readonly made: ReadonlySet<string>;
  /** The records of the last fetch of each work tree. */
  readonly fetches: readonly { readonly text: string; readonly timeMs: number }[];
}

/** Words of git for what makes a commit; what only moves a reference to one ends with `fast-forward`. */
const MAKES =
  /\t(?:commit|cherry-pick|revert|am|rebase[^:]*\((?:pick|reword|edit|squash|fixup|continue)\))\b(?!.*fast-forward$)|\t.*Merge made by/i;

function gitRecords(common: string): GitRecords {
  const folders = [common, ...foldersIn(join(common, 'worktrees'))];
  const entries = folders.flatMap((folder) => textOf(join(folder, 'logs', 'HEAD')).split('\n'));
  const made = entries.filter((line) => MAKES.test(line)).map((line) => line.split(' ')[1] ?? '');
  const fetches = folders.map((folder) => join(folder, 'FETCH_HEAD'));
  return {
    made: new Set(made),
    fetches: fetches.flatMap((path) => {
      const timeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      return timeMs === undefined ? [] : [{ text: textOf(path), timeMs }];
    }),
  };
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

interface Named {
  readonly id: string;
  readonly ref: string;
  /** The log of the reference. */
  readonly log: string;
}

const SLACK_MS = 5_000;

/** Whether a fetch was recorded when a reference came to its commit, and the latest names no other commit for its branch. */
function agrees({ id, ref, log }: Named, { fetches }: GitRecords): boolean {
  const seconds = Number(/> (\d+) [-+]\d{4}\t[^\n]*\n*$/.exec(log)?.[1] ?? Infinity);
  const since = fetches.filter(({ timeMs }) => timeMs >= seconds * 1000 - SLACK_MS);
  // Lines `<id>\t<not-for-merge>\tbranch '<name>' of <url>`: the name may have slashes, and so may that of the remote.
  const named = since.flatMap(({ text }) =>
    [...text.matchAll(/^([0-9a-f]{40,64})\t.*\tbranch '([^']+)' of /gm)].filter(([, , branch]) =>
      ref.endsWith(`/${branch}`),
    ),
  );
  return since.length > 0 && (named.length === 0 || named.some(([, fetched]) => fetched === id));
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
