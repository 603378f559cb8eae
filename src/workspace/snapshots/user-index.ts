import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { RALPH_FOLDER } from '../../platform/ralph-folder.ts';
import {
  git,
  gitFailed,
  joinNul,
  latin1Items,
  runGit,
  type GitOutcome,
  type GitRequest,
} from '../../platform/git/git.ts';
import { MAX_FILE_BYTES } from './obstacles.ts';
import { isRealFolder, statOf } from '../../platform/files/real-paths.ts';
import type { Repository } from '../repository.ts';

/** Content of the user's own index. Paths are latin1 text, one character per byte, so that all names can be compared. */
export interface UserIndex {
  readonly paths: ReadonlySet<string>;
  readonly hasConflicts: boolean;
}

type Place = Pick<Repository, 'root' | 'gitDir'>;

let last: { readonly root: string; readonly identity: string; readonly index: UserIndex } | undefined;

const LIST = ['ls-files', '--stage', '-z'];

/**
 * Reads the user's index; the last result is cached until the index file changes. Throws RalphError with exit code 4 if the
 * index is damaged.
 */
export async function readUserIndex({ root, gitDir }: Place): Promise<UserIndex> {
  const identity = identityOf(join(gitDir, 'index'));
  if (last?.root === root && last.identity === identity) return last.index;
  const outcome = await runGit(LIST, { cwd: root });
  if (outcome.exitCode !== 0) throw unreadableIndex(root, outcome);
  const items = latin1Items(outcome.stdout);
  const index = {
    paths: new Set(items.map((item) => item.slice(item.indexOf('\t') + 1))),
    hasConflicts: items.some((item) => item[item.indexOf('\t') - 1] !== '0'),
  };
  last = { root, identity, index };
  return index;
}

/**
 * Updates ralph's index of the user's tree, which lists `ours`, from the user's own index, which is only read: adds files
 * that the user tracks despite an ignore rule, and removes ignored files that are no longer tracked. Resolves to true if
 * ralph's index changed.
 */
export async function followUserIndex(
  own: GitRequest,
  place: Place,
  ours: ReadonlySet<string>,
): Promise<boolean> {
  const { paths: theirs } = await readUserIndex(place);
  const missing = [...theirs].filter((path) => !ours.has(path) && isOwnFile(place.root, path));
  const untracked = [...ours].some((path) => !theirs.has(path));
  const ignored = untracked ? await listIgnored(own) : [];
  const stale = ignored.filter((path) => !theirs.has(path));
  await update(own, ['--add'], missing);
  await update(own, ['--force-remove'], stale);
  return missing.length + stale.length > 0;
}

/** The remedy discards what is staged; files and commits are safe. */
function unreadableIndex(root: string, outcome: GitOutcome): RalphError {
  if (!/index/i.test(outcome.stderr)) return gitFailed(LIST, outcome);
  const reason = outcome.stderr
    .trim()
    .replace(/^(fatal|error): /, '')
    .slice(0, 500);
  return new RalphError(`The index of ${root} is damaged: ${reason}`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'rm "$(git rev-parse --git-path index)" && git reset',
  });
}

/** Changes with every write of the index, because git replaces the file by renaming. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

async function listIgnored(own: GitRequest): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  return latin1Items(await git(args, own));
}

async function update(own: GitRequest, how: readonly string[], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = joinNul(paths.map((path) => Buffer.from(path, 'latin1')));
  await git(['update-index', ...how, '-z', '--stdin'], { ...own, input });
}

/** True for an existing symbolic link or readable file of at most 4 GiB that is not behind a symbolic link and not ralph's state. */
function isOwnFile(root: string, path: string): boolean {
  if (path.startsWith(`${RALPH_FOLDER}/`)) return false;
  const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const found = statOf(bytes);
  if (found === undefined || !(found.isSymbolicLink() || (found.isFile() && isReadable(bytes)))) return false;
  if (found.size > MAX_FILE_BYTES) return false;
  const folder = dirname(join(root, Buffer.from(path, 'latin1').toString('utf8')));
  return isRealFolder(folder);
}

function isReadable(path: Buffer): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
