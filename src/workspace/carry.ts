import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseEnv } from 'node:util';
import picomatch from 'picomatch';
import { RALPH_FOLDER } from '../platform/ralph-folder.ts';
import { learnSecrets } from '../platform/redaction/secret-values.ts';
import { git, splitNul } from '../platform/git/git.ts';
import { renderBytes } from '../platform/text/bytes.ts';
import { usageError } from '../errors.ts';
import { matcherOf } from './globs.ts';
import { canBeRealFolder, statOf } from '../platform/files/real-paths.ts';
import type { Repository } from './repository.ts';

/** A copy of a sparse file has every one of its bytes. */
const MAX_CARRIED_BYTES = 256 * 1024 * 1024;

/**
 * The user's ignored files that match the globs (see `matcherOf`), relative to the root. Symbolic links to files count as
 * files. `node_modules` and ralph's state are left out. Throws a usage error for a file that is too large to be copied.
 */
export async function findCarried(repository: Repository, globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const { root } = repository;
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ignored = splitNul(await git(args, { cwd: root })).map((path) => path.toString('utf8'));
  const isWanted = matcherOf(globs);
  const mayHold = folderMatcherOf(globs);
  const files = ignored
    .flatMap((path) => (path.endsWith('/') ? filesIn(root, path.slice(0, -1), mayHold) : [path]))
    .filter((path) => isWanted(path) && isFile(join(root, path)));
  for (const file of files) refuseLarge(file, statSync(join(root, file)).size);
  return files;
}

function refuseLarge(file: string, bytes: number): void {
  if (bytes <= MAX_CARRIED_BYTES) return;
  throw usageError(
    `${file} has ${renderBytes(bytes)}. Of the files that the setting "carry" names, each may have ${renderBytes(MAX_CARRIED_BYTES)}.`,
    'Set "carry" in ralph.config.json to the files that the checks need, or to [].',
  );
}

/** Copies files that are missing or differ into the workspace, but not through a symbolic link in the workspace. */
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

const ENVIRONMENT_FILE = /^\.env(?:\.|$)/;
const MAX_ENVIRONMENT_BYTES = 1024 * 1024;

/** Makes the values of carried `.env` files known secrets: an actor and its checks can read and print them. */
export function learnCarried(root: string, files: readonly string[]): void {
  for (const file of files.filter((path) => ENVIRONMENT_FILE.test(posix.basename(path)))) {
    const path = join(root, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    learnSecrets(parseEnv(readFileSync(path).toString('utf8', 0, MAX_ENVIRONMENT_BYTES)));
  }
}

/** Tests whether an ignored folder can contain a match, so that large folders are not read in vain. */
function folderMatcherOf(globs: readonly string[]): (folder: string) => boolean {
  const withFolder = globs.map((glob) => glob.replace(/^\.?\//, '')).filter((glob) => glob.includes('/'));
  const bases = withFolder.map((glob) => picomatch.scan(glob).base).filter((base) => base !== '');
  const isWanted = matcherOf(globs);
  return (folder) => isWanted(folder) || bases.some((base) => areNested(base, folder));
}

/** True if one of the two is the other or contains it. */
function areNested(base: string, folder: string): boolean {
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
