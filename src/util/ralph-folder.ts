import { lstatSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../errors.ts';

/** Where ralph keeps its state, relative to the repository's root. */
export const RALPH_FOLDER = '.aiwg/ralph';

const GITIGNORE = `# Written by ralph. reflections/ and memory/ are the team's memory and may be committed.
/loops/
/snapshots.git/
/lock.sqlite*
/index.sqlite*
*.ralph-tmp
`;

/**
 * Absolute path of something in `.aiwg/ralph`. Throws RalphError `repository_unusable` where a symbolic link
 * on the way leads out of the repository, or to nothing: ralph would write where it was not asked to.
 */
export function ralphPath(repositoryRoot: string, ...segments: readonly string[]): string {
  const path = join(repositoryRoot, RALPH_FOLDER, ...segments);
  const existing = deepestExisting(path, repositoryRoot);
  const real = realPathOf(existing);
  if (real === undefined || !isInside(realPathOf(repositoryRoot) ?? repositoryRoot, real)) {
    throw refusedLink(relative(repositoryRoot, existing));
  }
  return path;
}

/**
 * Makes `.aiwg/ralph` and, on first use, its `.gitignore`: loops, snapshots, lock and index stay out of the
 * user's history, reflections and memory may be committed. Gives the folder's absolute path. Throws
 * RalphError where it leads out of the repository or cannot be written.
 */
export function ensureRalphFolder(repositoryRoot: string): string {
  const folder = ralphPath(repositoryRoot);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(ralphPath(repositoryRoot, '.gitignore'), GITIGNORE, { flag: 'wx' });
  } catch (error) {
    if (error instanceof RalphError) throw error;
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isThere) throw unwritable(folder, error);
  }
  return folder;
}

function deepestExisting(path: string, stop: string): string {
  for (let at = path; at.length > stop.length; at = dirname(at)) {
    if (exists(at)) return at;
  }
  return stop;
}

/** Of a link too that leads to nothing; not of what would lie in a file. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const from = relative(root, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

function refusedLink(path: string): RalphError {
  return new RalphError(`${path} is a symbolic link that leads out of the repository.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: `Replace ${path} by a real folder.`,
  });
}

function unwritable(folder: string, cause: unknown): RalphError {
  return new RalphError(`Could not make ${folder}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Check that it is a folder, and who may write there.',
    cause,
  });
}
