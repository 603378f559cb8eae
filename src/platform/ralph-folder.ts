import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../errors.ts';

/** Folder of ralph's state, relative to the root of the repository. */
export const RALPH_FOLDER = '.aiwg/ralph';

const GITIGNORE = `# Written by ralph. reflections/ and memory/ are the team's memory and may be committed.
/loops/
/snapshots.git/
/lock.sqlite*
/index.sqlite*
*.ralph-tmp
*.damaged*
*.earlier*
/tasks/
`;

/**
 * Absolute path of a file or folder in `.aiwg/ralph`. Throws RalphError `repository_unusable` if a symbolic link in the
 * path leads out of the repository or to nothing, because ralph would write outside of the repository. Throws Error for
 * segments that lead out themselves (`..`, NUL).
 */
export function ralphPath(repositoryRoot: string, ...segments: readonly string[]): string {
  const path = join(repositoryRoot, RALPH_FOLDER, ...segments);
  if (path.includes('\0') || !isInside(join(repositoryRoot, RALPH_FOLDER), path)) {
    throw new Error(`${JSON.stringify(segments.join('/'))} does not lie in ${RALPH_FOLDER}.`);
  }
  const link = linkLeadingOut(repositoryRoot, path);
  if (link !== undefined) throw refusedLink(relative(repositoryRoot, link));
  return path;
}

/** True if a path lies in the repository and no symbolic link in it leads out of the repository or to nothing. */
export function liesInRepository(repositoryRoot: string, path: string): boolean {
  return isInside(repositoryRoot, path) && linkLeadingOut(repositoryRoot, path) === undefined;
}

function linkLeadingOut(repositoryRoot: string, path: string): string | undefined {
  const existing = deepestExisting(path, repositoryRoot);
  const real = realPathOf(existing);
  const isIn = real !== undefined && isInside(realPathOf(repositoryRoot) ?? repositoryRoot, real);
  return isIn ? undefined : existing;
}

/**
 * Creates `.aiwg/ralph` and, on first use, its `.gitignore`: loops, snapshots, lock and index stay out of the user's
 * history, reflections and memory may be committed. Returns the absolute path. Throws RalphError if the folder lies
 * outside of the repository or cannot be written.
 */
export function ensureRalphFolder(repositoryRoot: string): string {
  const folder = ralphPath(repositoryRoot);
  try {
    mkdirSync(folder, { recursive: true });
    writeIgnoreRules(ralphPath(repositoryRoot, '.gitignore'));
  } catch (error) {
    throw error instanceof RalphError ? error : unwritable(folder, error);
  }
  return folder;
}

/** Keeps rules that the user has edited; replaces an incomplete file that a crash or a full disk left. */
function writeIgnoreRules(path: string): void {
  if (exists(path)) {
    const found = isFile(path) ? readFileSync(path, 'utf8') : GITIGNORE;
    if (found === GITIGNORE || !GITIGNORE.startsWith(found)) return;
  }
  const temporary = `${path}.${process.pid}.ralph-tmp`;
  try {
    writeFileSync(temporary, GITIGNORE);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function deepestExisting(path: string, stop: string): string {
  for (let at = path; at.length > stop.length; at = dirname(at)) {
    if (exists(at)) return at;
  }
  return stop;
}

/** True for a symbolic link to nothing, too; false if a parent is a file. */
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
  return new RalphError(`Could not create ${folder}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Check that it is a folder, and its permissions.',
    cause,
  });
}
