import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import picomatch from 'picomatch';
import { RALPH_FOLDER } from '../platform/ralph-folder.ts';
import { git, splitNul } from '../platform/git/git.ts';
import { matcherOf } from './globs.ts';
import { canBeRealFolder, statOf } from '../platform/files/real-paths.ts';
import type { Repository } from './repository.ts';

/**
 * Ignored files of the user's tree that match a glob, relative to the root. A glob without a slash matches
 * the name in any folder; one that matches an ignored folder means all that is in it. What a symbolic link
 * leads to counts, dependencies and ralph's state do not.
 */
export async function findCarried(repository: Repository, globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const { root } = repository;
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ignored = splitNul(await git(args, { cwd: root })).map((path) => path.toString('utf8'));
  const isWanted = matcherOf(globs);
  const mayHold = folderMatcherOf(globs);
  return ignored
    .flatMap((path) => (path.endsWith('/') ? filesIn(root, path.slice(0, -1), mayHold) : [path]))
    .filter((path) => isWanted(path) && isFile(join(root, path)));
}

/** Copies files that are not there, or that differ, into the workspace; never through a link that was put there. */
export function carryFiles(root: string, workspace: string, files: readonly string[]): void {
  for (const file of files) {
    const source = join(root, file);
    const target = join(workspace, file);
    if (!isFile(source) || isSameFile(source, target)) continue;
    if (!canBeRealFolder(dirname(target))) continue;
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    copyFileSync(source, target);
  }
}

/** Only globs that name a folder make it worth reading a large ignored one. */
function folderMatcherOf(globs: readonly string[]): (folder: string) => boolean {
  const withFolder = globs.map((glob) => glob.replace(/^\.?\//, '')).filter((glob) => glob.includes('/'));
  const bases = withFolder.map((glob) => picomatch.scan(glob).base).filter((base) => base !== '');
  const isWanted = matcherOf(globs);
  return (folder) => isWanted(folder) || bases.some((base) => isOnTheWay(base, folder));
}

function isOnTheWay(base: string, folder: string): boolean {
  return `${base}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${base}/`);
}

function filesIn(root: string, folder: string, mayHold: (folder: string) => boolean): string[] {
  if (posix.basename(folder) === 'node_modules' || folder === RALPH_FOLDER || !mayHold(folder)) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(root, path, mayHold) : [path];
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isSameFile(source: string, target: string): boolean {
  const found = statOf(target);
  if (found?.isFile() !== true || found.size !== statSync(source).size) return false;
  return readFileSync(source).equals(readFileSync(target));
}
