import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { RALPH_FOLDER } from '../util/ralph-folder.ts';
import { git, joinNul, splitNul, type GitRequest } from './git.ts';
import { isRealFolder, statOf } from './real-paths.ts';

/**
 * Brings our index of the user's tree in line with the user's own, which is only read: what is tracked in
 * spite of an ignore rule belongs to the tree, what is ignored and no longer tracked does not.
 */
export async function followUserIndex(own: GitRequest, root: string): Promise<void> {
  const [theirs, ours, ignored] = await Promise.all([
    list(['ls-files', '-z'], { cwd: root }),
    list(['ls-files', '-z'], own),
    list(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'], own),
  ]);
  const missing = [...theirs].filter((path) => !ours.has(path) && isOwnFile(root, path));
  const stale = [...ignored].filter((path) => !theirs.has(path));
  await update(own, ['--add'], missing);
  await update(own, ['--force-remove'], stale);
}

/** Paths as latin1 text, one character a byte, so that names of any bytes compare and go back. */
async function list(args: readonly string[], request: GitRequest): Promise<ReadonlySet<string>> {
  return new Set(splitNul(await git(args, request)).map((path) => path.toString('latin1')));
}

async function update(own: GitRequest, how: readonly string[], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = joinNul(paths.map((path) => Buffer.from(path, 'latin1')));
  await git(['update-index', ...how, '-z', '--stdin'], { ...own, input });
}

/** A readable file or a symbolic link that is there, not reached through a symbolic link, and not ralph's state. */
function isOwnFile(root: string, path: string): boolean {
  if (path.startsWith(`${RALPH_FOLDER}/`)) return false;
  const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const found = statOf(bytes);
  if (found === undefined || !(found.isSymbolicLink() || (found.isFile() && isReadable(bytes)))) return false;
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
