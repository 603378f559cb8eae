import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, sep } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { databasePath } from './files/database-path.ts';
import { folderGone } from './files/folder-gone.ts';

/** Folder of ralph's state, relative to the repository's root. */
export const RALPH_FOLDER = '.aiwg/ralph';

/** Every path of `.aiwg/ralph`. The only place where these paths are spelled. */
export interface RalphFolder {
  gitignore(): string;
  /** SQLite file whose transaction is the lock of the repository. */
  lock(): string;
  /** JSON note that names the process that holds the lock. */
  lockHolder(): string;
  /** Empty file by which a process asks the holder for the lock. */
  lockAsked(): string;
  /** SQLite file whose transaction is the lock of the judgements before an agent stops. */
  aheadLock(): string;
  /** SQLite file whose transaction is the lock of long-term memory. */
  memoryLock(): string;
  /** Git directory of the snapshots. */
  snapshots(): string;
  /** SQLite index of the reflections; `suffix` names one of the files beside it, such as `-wal`. */
  index(suffix?: string): string;
  /** The repository's own version of a prompt template; `name` without `.hbs`. */
  prompt(name: string): string;
  /** Progress of one task file; `name` with `.json`. */
  taskProgress(name: string): string;
  /** Folder of the sessions that `ralph gate` watches, where the user has no folder for state. */
  gate(): string;
  /** Files that `ralph ci verify` removes from a checkout for as long as the checks run. */
  aside(): string;

  loops(): string;
  loop(loopId: string): string;
  journal(loopId: string): string;
  state(loopId: string): string;
  delivery(loopId: string): string;
  /** Empty file of a loop whose attempts can no longer be continued, because their trees were removed. */
  pruned(loopId: string): string;
  /** Log of the model calls, one a line. */
  modelCalls(loopId: string): string;
  /** A file of a loop; `path` is relative to the loop's folder. */
  inLoop(loopId: string, path: string): string;
  attempts(loopId: string): string;
  /** A file of one attempt, such as `patch.diff`; `iteration` is 1-based. */
  inAttempt(loopId: string, iteration: number, name: string): string;

  /** Episodic memory: one folder per loop. */
  reflections(): string;
  reflectionsOf(loopId: string): string;
  /** `NNN.json`; `iteration` is 0-based, as in the record: iteration 0 is `001.json`. */
  reflection(loopId: string, iteration: number): string;

  /** Long-term memory. */
  memory(): string;
  /** A file of long-term memory, such as `lessons.jsonl` or `history/playbook-0001.json`. */
  inMemory(name: string): string;
}

/** The paths relative to the repository's root, with forward slashes: to show, store and compare. */
export const RALPH_PATHS: RalphFolder = layout((path) => posix.join(RALPH_FOLDER, path));

/** The absolute paths in one repository: to read and write. Each is checked, and may throw, as `resolveRalphPath` does. */
export function ralphFolder(repositoryRoot: string): RalphFolder {
  const folder = layout((path) => resolveRalphPath(repositoryRoot, posix.join(RALPH_FOLDER, path)));
  return {
    ...folder,
    lock: () => databasePath(folder.lock()),
    memoryLock: () => databasePath(folder.memoryLock()),
    aheadLock: () => databasePath(folder.aheadLock()),
    index: (suffix) => databasePath(folder.index(suffix)),
  };
}

/** A file of one attempt, relative to its loop's folder: `attempts/NNN/<name>`. `iteration` is 1-based. */
export function attemptFile(iteration: number, name: string): string {
  return posix.join('attempts', numbered(iteration), name);
}

/** The layout of the folder; `at` turns a path relative to the folder into the path that is returned. */
function layout(at: (path: string) => string): RalphFolder {
  const inLoop = (loopId: string, path: string): string => at(posix.join('loops', loopId, path));
  return {
    gitignore: () => at('.gitignore'),
    lock: () => at('lock.sqlite'),
    lockHolder: () => at('lock.sqlite.holder.json'),
    lockAsked: () => at('lock.sqlite.asked'),
    aheadLock: () => at('lock.sqlite-ahead'),
    memoryLock: () => at('lock.sqlite-memory'),
    snapshots: () => at('snapshots.git'),
    index: (suffix = '') => at(`index.sqlite${suffix}`),
    prompt: (name) => at(`prompts/${name}.hbs`),
    taskProgress: (name) => at(`tasks/${name}`),
    gate: () => at('gate'),
    aside: () => at('aside'),

    loops: () => at('loops'),
    loop: (loopId) => inLoop(loopId, ''),
    journal: (loopId) => inLoop(loopId, 'journal.jsonl'),
    state: (loopId) => inLoop(loopId, 'state.json'),
    delivery: (loopId) => inLoop(loopId, 'delivery.json'),
    pruned: (loopId) => inLoop(loopId, 'pruned'),
    modelCalls: (loopId) => inLoop(loopId, 'model-calls.jsonl'),
    inLoop,
    attempts: (loopId) => inLoop(loopId, 'attempts'),
    inAttempt: (loopId, iteration, name) => inLoop(loopId, attemptFile(iteration, name)),

    reflections: () => at('reflections'),
    reflectionsOf: (loopId) => at(`reflections/${loopId}`),
    reflection: (loopId, iteration) => at(`reflections/${loopId}/${numbered(iteration + 1)}.json`),

    memory: () => at('memory'),
    inMemory: (name) => at(`memory/${name}`),
  };
}

/** At least three digits, so that names sort by number up to 999. */
function numbered(iteration: number): string {
  return String(iteration).padStart(3, '0');
}

/**
 * Absolute path of `path`, which is relative to the repository's root and lies in `.aiwg/ralph`. Throws RalphError
 * `repository_unusable` if a symbolic link on the way leads out of the repository or is broken, because ralph
 * would write outside the repository, or if the repository is gone. Throws Error if the path itself leaves the folder (`..`, NUL).
 */
export function resolveRalphPath(repositoryRoot: string, path: string): string {
  const absolute = join(repositoryRoot, path);
  if (absolute.includes('\0') || !isInside(join(repositoryRoot, RALPH_FOLDER), absolute)) {
    throw new Error(`${JSON.stringify(path)} is not in ${RALPH_FOLDER}.`);
  }
  const link = linkLeadingOut(repositoryRoot, absolute);
  if (link === repositoryRoot) throw folderGone(repositoryRoot);
  if (link !== undefined) throw refusedLink(relative(repositoryRoot, link));
  return absolute;
}

/** True if an absolute path is in the repository and no symbolic link on the way leads out of it or is broken. */
export function liesInRepository(repositoryRoot: string, path: string): boolean {
  return isInside(repositoryRoot, path) && linkLeadingOut(repositoryRoot, path) === undefined;
}

function linkLeadingOut(repositoryRoot: string, path: string): string | undefined {
  const existing = deepestExisting(path, repositoryRoot);
  const real = realPathOf(existing);
  const isIn = real !== undefined && isInside(realPathOf(repositoryRoot) ?? repositoryRoot, real);
  return isIn ? undefined : existing;
}

const GITIGNORE = `# Written by ralph. reflections/ and memory/ are the team's memory and may be committed.
/loops/
/snapshots.git/
/lock.sqlite*
/index.sqlite*
*.ralph-tmp
*.damaged*
*.earlier*
/tasks/
/.gitignore
/gate/
`;

/**
 * Creates `.aiwg/ralph` and its `.gitignore`, which keeps loops, snapshots, locks and index out of the user's
 * history; reflections and memory may be committed. Returns the folder's absolute path. Throws RalphError if the
 * folder leads out of the repository or cannot be written.
 */
export function ensureRalphFolder(repositoryRoot: string): string {
  const folder = resolveRalphPath(repositoryRoot, RALPH_FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    writeIgnoreRules(ralphFolder(repositoryRoot).gitignore());
  } catch (error) {
    throw error instanceof RalphError ? error : unwritable(folder, error);
  }
  return folder;
}

/** Keeps a file that the user changed; replaces one that a crash or a full disk left incomplete. */
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

/** True for a broken link too; false for a path below a file. */
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
