import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { failpoint } from '../../platform/files/failpoint.ts';
import { absolute } from '../snapshots/file-entry.ts';
import { git, gitFailed, joinNul, runGit, splitNul } from '../../platform/git/git.ts';
import { userGit, type UserGitRequest } from '../../platform/git/user-git.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import type { EntryChange } from '../snapshots/tree-changes.ts';

/** The new commit, or the reason why there is none; then the user's index is unchanged. */
export type CommitOutcome =
  { readonly ok: true; readonly commit: string } | { readonly ok: false; readonly problem: string };

/** A signature may wait for the user's passphrase, and hooks may run the tests. */
const COMMIT_TIMEOUT_MS = 600_000;
const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];

export interface CommitRequest {
  readonly changes: readonly EntryChange[];
  readonly message: string;
  /** Runs the user's hooks, which may run any code of the tree outside the sandbox. */
  readonly hooks: boolean;
}

/**
 * Commits exactly the changed paths of the user's tree on the current branch. Other staged changes stay staged and are not
 * part of the commit. The user's signing applies.
 */
export async function commitChanges(
  root: string,
  { changes, message, hooks }: CommitRequest,
): Promise<CommitOutcome> {
  const tracked = await trackedPaths(root);
  const isTracked = ({ path }: EntryChange): boolean => tracked.has(path.toString('latin1'));
  const fresh = changes.filter((change) => change.after !== undefined && !isTracked(change));
  // A file that became a folder is covered by the files in the folder; git refuses its own path.
  const known = changes.filter((change) => isTracked(change) && !isFolder(root, change));
  const paths = [...known, ...fresh].map(({ path }) => path);
  if (paths.length === 0) return { ok: false, problem: 'git tracks none of the changed files' };

  const putIndexBack = await keepIndex(root);
  const problem = await commitPaths(root, { fresh, paths, message, hooks }).catch((error: unknown) => {
    putIndexBack();
    throw error;
  });
  failpoint('commit.made', root);
  if (problem !== undefined) {
    putIndexBack();
    return { ok: false, problem };
  }
  return { ok: true, commit: (await revParse(root, ['HEAD'])).trim() };
}

interface PathsToCommit extends Pick<CommitRequest, 'message' | 'hooks'> {
  readonly fresh: readonly EntryChange[];
  readonly paths: readonly Buffer[];
}

async function commitPaths(
  root: string,
  { fresh, paths, ...how }: PathsToCommit,
): Promise<string | undefined> {
  return (await intendToAdd(root, fresh)) ?? commitOnly(root, paths, how);
}

async function trackedPaths(root: string): Promise<ReadonlySet<string>> {
  const paths = splitNul(await git(['ls-files', '-z'], { cwd: root }));
  return new Set(paths.map((path) => path.toString('latin1')));
}

function isFolder(root: string, { path }: EntryChange): boolean {
  return statOf(absolute(root, path))?.isDirectory() ?? false;
}

async function keepIndex(root: string): Promise<() => void> {
  const path = await revParse(root, ['--git-path', 'index']);
  const index = resolve(root, path.replace(/\n$/, ''));
  const before = readIfThere(index);
  return () => {
    const now = readIfThere(index);
    if (before === undefined) rmSync(index, { force: true });
    else if (now?.equals(before) !== true) {
      writeFileSync(`${index}.ralph-tmp`, before, { mode: statSync(index).mode & 0o777 });
      renameSync(`${index}.ralph-tmp`, index);
    }
  };
}

async function revParse(root: string, names: readonly string[]): Promise<string> {
  const args = ['rev-parse', ...names];
  const answer = await userGit({ cwd: root }, (git) => git.raw(args));
  if (!answer.ok) throw gitFailed(args, answer.outcome);
  return answer.value;
}

/** A repository may have no index: git then takes it for an empty one. */
function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

/** Resolves to the first line of git's error, if any. */
async function intendToAdd(root: string, fresh: readonly EntryChange[]): Promise<string | undefined> {
  if (fresh.length === 0) return undefined;
  const input = joinNul(fresh.map(({ path }) => path));
  const args = ['--literal-pathspecs', 'add', '--intent-to-add', '--force', ...FROM_INPUT];
  const outcome = await runGit(args, { cwd: root, input });
  failpoint('commit.added', root);
  return outcome.exitCode === 0 ? undefined : firstLine(outcome.stderr);
}

async function commitOnly(
  root: string,
  paths: readonly Buffer[],
  { message, hooks }: Pick<CommitRequest, 'message' | 'hooks'>,
): Promise<string | undefined> {
  const request: UserGitRequest = {
    cwd: root,
    input: joinNul(paths),
    hooks,
    timeoutMs: COMMIT_TIMEOUT_MS,
    variables: { GIT_LITERAL_PATHSPECS: '1' },
  };
  // `commit` of simple-git sets core.abbrev, which the user's hooks would see.
  const args = ['commit', '--quiet', '--only', '-m', message, ...FROM_INPUT];
  const answer = await userGit(request, (git) => git.raw(args));
  if (answer.ok) return undefined;
  return firstLine(`${answer.outcome.stderr}\n${answer.outcome.stdout.toString('utf8')}`);
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '')?.slice(0, 300) ?? 'git commit failed';
}
