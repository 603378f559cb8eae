import { readdirSync, type Dirent } from 'node:fs';
import { join, posix } from 'node:path';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { statOf } from './paths.ts';

/** Folders that are skipped where git does not know what to ignore. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', 'dist', 'coverage']);

const MAX_FILES = 100_000;
const LISTING_CHARS = 2 ** 26;
/** Options that keep git from running programs of the repository's configuration. */
const GIT = ['-c', 'core.fsmonitor=false', '--no-optional-locks'];

/** Keeps git from fetching missing objects with a program of the repository's configuration. */
const NO_FETCHES = { GIT_ALLOW_PROTOCOL: 'none' };

/**
 * The regular files below a folder: paths relative to it with `/`, sorted by code unit, at most 100,000; links are not
 * followed. In a git work tree, the files that git does not ignore; elsewhere, and below an ignored folder, the files
 * outside of SKIPPED_FOLDERS.
 */
export async function filesBelow(root: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const known = statOf(join(root, '.git')) === undefined ? [] : await gitFiles(folder, signal);
  return known.length > 0 ? known : walk(folder);
}

async function gitFiles(folder: string, signal: AbortSignal): Promise<string[]> {
  const { exitCode, stdout } = await runProcess({
    file: 'git',
    args: [...GIT, 'ls-files', '-coz', '--exclude-standard'],
    cwd: folder,
    env: childEnvironment(NO_FETCHES),
    keepBytes: LISTING_CHARS,
    signal,
  });
  if (exitCode !== 0) return [];
  const paths = new Set(stdout.split('\0'));
  const isOwn = (path: string): boolean => path !== '' && !/(^|\/)(node_modules|\.git)\//.test(path);
  const isFile = regularFiles(folder);
  return [...paths]
    .filter((path) => isOwn(path) && isFile(path))
    .sort()
    .slice(0, MAX_FILES);
}

/** Stands for bytes that are no UTF-8: the file has another name. */
const REPLACED = '\ufffd';

/** True for a regular file, relative to the folder; each folder is read once, which is faster than a look at each file. */
function regularFiles(folder: string): (path: string) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  return (path) => {
    if (path.includes(REPLACED)) return statOf(join(folder, path))?.isFile() ?? false;
    const parent = posix.dirname(path);
    const files = known.get(parent) ?? new Set(filesIn(join(folder, parent)));
    known.set(parent, files);
    return files.has(posix.basename(path));
  };
}

function filesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function walk(folder: string): string[] {
  const found: string[] = [];
  const waiting = [''];
  while (waiting.length > 0 && found.length < MAX_FILES) {
    const below = waiting.pop()!;
    for (const entry of entriesOf(join(folder, below))) {
      const path = below + entry.name;
      if (entry.isFile()) found.push(path);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) waiting.push(`${path}/`);
    }
  }
  return found.sort();
}

/** The entries of a folder; none if it cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
